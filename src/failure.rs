//! What a handler's error means for the operation.
//!
//! The library cannot know whether a failure happened before or after an effect; the author can.

use std::convert::Infallible;
use std::error::Error;

/// What is known about the world after a handler failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureClass {
    /// Nothing happened outside the rolled-back transaction; trying again is safe. Stored as
    /// `failed`, and a retry may run at once.
    NoEffect,
    /// A definitive refusal, such as "order not paid". Stored as `done`, with the error as the
    /// result: every retry gets the same answer.
    Final,
    /// An outside effect may or may not have happened. Stored as `ambiguous`; a person or a probe
    /// decides. With local effects only it is not needed: the rollback proves that nothing did.
    Unknown,
}

/// An error type whose every value says what it means, usually by `#[derive(idem::Failure)]` with
/// `#[failure(no_effect)]`, `#[failure(final)]` or `#[failure(unknown)]` on each variant.
///
/// Answers that ask the caller to slow down (409, 425, 429, 503 of a provider) are never `Final`.
///
/// ```
/// use idem::{Failure, FailureClass};
///
/// #[derive(Debug, PartialEq)]
/// enum RefundError {
///     /// The order was never paid: asking again does not change that.
///     NotPaid,
///     /// The warehouse was out of reach before anything was written.
///     WarehouseDown,
/// }
///
/// impl Failure for RefundError {
///     fn class(&self) -> FailureClass {
///         match self {
///             Self::NotPaid => FailureClass::Final,
///             Self::WarehouseDown => FailureClass::NoEffect,
///         }
///     }
///
///     fn encode_final(&self) -> Option<Vec<u8>> {
///         match self {
///             Self::NotPaid => Some(br#"{"variant":"NotPaid"}"#.to_vec()),
///             Self::WarehouseDown => None,
///         }
///     }
///
///     fn decode_final(bytes: &[u8]) -> Option<Self> {
///         (bytes == br#"{"variant":"NotPaid"}"#).then_some(Self::NotPaid)
///     }
/// }
///
/// let stored = RefundError::NotPaid.encode_final().expect("a final error is stored");
/// assert_eq!(RefundError::decode_final(&stored), Some(RefundError::NotPaid));
/// assert_eq!(RefundError::WarehouseDown.encode_final(), None);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what its failures mean",
    label = "not a classified failure",
    note = "only the author knows whether a failure came before or after an effect; without that, a retry either loses work or repeats it",
    note = "write `#[derive(idem::Failure)]` on `{Self}` and `#[failure(no_effect)]`, `#[failure(final)]` or `#[failure(unknown)]` on each variant; a variant that wraps a store error says `#[failure(transparent)]`",
    note = "rule `unclassified-failure`: `idem explain unclassified-failure`"
)]
pub trait Failure: Sized {
    /// What this error means.
    fn class(&self) -> FailureClass;

    /// The bytes that are stored as the operation's result, for a [`FailureClass::Final`] error.
    /// A final error without bytes cannot be replayed, and is treated as [`FailureClass::NoEffect`].
    fn encode_final(&self) -> Option<Vec<u8>> {
        None
    }

    /// Reads a stored final error back. `None` when the bytes are not one of this type.
    fn decode_final(bytes: &[u8]) -> Option<Self> {
        let _ = bytes;
        None
    }

    /// The store's own error inside this one, when that is all it is: a serialization failure of
    /// the transaction is then retried instead of being reported.
    fn store_error(&self) -> Option<&(dyn Error + 'static)> {
        None
    }
}

impl Failure for Infallible {
    fn class(&self) -> FailureClass {
        match *self {}
    }
}
