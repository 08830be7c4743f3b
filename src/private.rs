//! What an expansion of `#[idempotent]` may name besides public types. No stability promise.

mod again;
mod asking;
mod call;
mod codec;
mod delivery;
mod end;
mod guard;
mod handled;
mod open;
mod outside;

mod redact;
mod run;
mod stored;
mod terms;

pub use self::asking::{Answered, answered};
pub use self::call::{Call, OperationTurn, Turn, TurnGuard, call};
pub use self::codec::{Codec, FailureCodec, Replayable, ValueCodec, codec, failure, value};
pub use self::delivery::{
    Delivery, delivery, hashed, key_part, previous, previous_part, tenant_part,
};
pub use self::guard::{Driven, Guard};
pub use self::handled::*;
pub use self::open::{Opened, open, open_request};

pub use self::outside::OperationOf;
pub use self::run::{Run, Settled};
pub use self::stored::{
    Bytes, FailureToStore, FieldCodec, Source, Storable, StoredFailure, source, storable,
};
pub use self::terms::{Terms, workflow};
pub use crate::fingerprint::{FieldType, Hasher};
pub use crate::key::{KeyBuilder, declared, part, write_part};
pub use core::{concat, env, include_bytes};

use crate::{Fingerprint, Key, KeyError, Workflow};

/// Starts the key of one delivery.
#[must_use]
pub fn key(workflow: &'static Workflow) -> KeyBuilder {
    KeyBuilder::scoped(
        workflow.name(),
        workflow.consumer_name(),
        workflow.version(),
    )
}

/// Finishes a key.
///
/// **Errors**: as [`KeyBuilder::finish`] says.
pub fn finish(builder: KeyBuilder) -> Result<Key, KeyError> {
    builder.finish()
}

/// Starts the request hash of one delivery.
#[must_use]
pub fn hasher(workflow: &'static Workflow) -> Hasher {
    Fingerprint::recipe(workflow.name(), workflow.recipe())
}

/// What can be hashed as a part of a request.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be hashed as a part of the request",
    label = "not `Serialize`",
    note = "the request hash tells an honest retry from another request under the same key",
    note = "write `#[derive(serde::Serialize)]` on `{Self}`, or name what the caller sent: `hash = (event.order_id, event.amount)`, or `hash = \"none\"` if there is nothing but the key"
)]
pub trait Hashable: serde::Serialize {}

#[diagnostic::do_not_recommend]
impl<T: serde::Serialize + ?Sized> Hashable for T {}

/// Adds one field of the request.
pub fn hash_field<T: Hashable + ?Sized>(
    hasher: &mut Hasher,
    name: &'static str,
    kind: FieldType,
    value: &T,
) {
    hasher.field(name, kind, value);
}

/// Finishes a request hash.
///
/// **Errors**: a field does not hold what the contract declares.
pub fn hash_finish(hasher: Hasher) -> Result<Fingerprint, KeyError> {
    hasher.finish()
}

/// What a handler returns: the expansion names value and error through it, so that a shadowed
/// `Result` in the user's module changes nothing.
#[diagnostic::on_unimplemented(
    message = "an idempotent handler returns `Result<R, E>`, not `{Self}`",
    label = "not a `Result`",
    note = "the result is stored and replayed, the error says what a failure left behind: write `Result<R, E>`, with `E: idem::Failure`"
)]
pub trait HandlerResult {
    /// The handler's value.
    type Value;
    /// The handler's error.
    type Error;
}

impl<R, E> HandlerResult for Result<R, E> {
    type Value = R;
    type Error = E;
}

#[cfg(test)]
mod tests;
