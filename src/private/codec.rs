//! How a handler's result becomes stored bytes, and comes back.

use std::error::Error as StdError;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Failure, FailureClass};

/// What a handler may return: it is stored, and every later delivery gets the same bytes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is what the handler returns, and it cannot be stored and replayed",
    label = "not `Serialize` and `DeserializeOwned`",
    note = "every later delivery of the same operation is answered with the stored result",
    note = "write `#[derive(serde::Serialize, serde::Deserialize)]` on `{Self}`, or return `()` where there is nothing to tell"
)]
pub trait Replayable: Serialize + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned> Replayable for T {}

type Encode<R> = fn(&R) -> serde_json::Result<Vec<u8>>;
type Decode<R> = fn(&[u8]) -> serde_json::Result<R>;
type StoreError<E> = for<'e> fn(&'e E) -> Option<&'e (dyn StdError + 'static)>;

/// The two halves of a handler's result. What can be done with them is asked for once, where this
/// is made: a type that cannot be stored is one mistake, and so one message.
pub struct Codec<R, E> {
    pub(super) encode: Encode<R>,
    pub(super) decode: Decode<R>,
    pub(super) class: fn(&E) -> FailureClass,
    pub(super) encode_final: fn(&E) -> Option<Vec<u8>>,
    pub(super) decode_final: fn(&[u8]) -> Option<E>,
    pub(super) store_error: StoreError<E>,
}

impl<R, E> Clone for Codec<R, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, E> Copy for Codec<R, E> {}

/// The half of the value.
pub struct ValueCodec<R> {
    encode: Encode<R>,
    decode: Decode<R>,
}

/// The half of the error.
pub struct FailureCodec<E> {
    class: fn(&E) -> FailureClass,
    encode_final: fn(&E) -> Option<Vec<u8>>,
    decode_final: fn(&[u8]) -> Option<E>,
    store_error: StoreError<E>,
}

/// Asks the handler's value type whether it can be stored.
#[must_use]
pub const fn value<R: Replayable>() -> ValueCodec<R> {
    ValueCodec {
        encode: |value| serde_json::to_vec(value),
        decode: |bytes| serde_json::from_slice(bytes),
    }
}

/// Asks the handler's error type whether it says what its failures mean.
#[must_use]
pub const fn failure<E: Failure>() -> FailureCodec<E> {
    FailureCodec {
        class: E::class,
        encode_final: E::encode_final,
        decode_final: E::decode_final,
        store_error: E::store_error,
    }
}

/// Puts the halves together.
#[must_use]
pub const fn codec<R, E>(value: ValueCodec<R>, failure: FailureCodec<E>) -> Codec<R, E> {
    Codec {
        encode: value.encode,
        decode: value.decode,
        class: failure.class,
        encode_final: failure.encode_final,
        decode_final: failure.decode_final,
        store_error: failure.store_error,
    }
}
