//! What an expansion of `#[idempotent]` may name besides public types. No stability promise.

mod guard;
mod open;
mod run;
mod stored;

pub use self::guard::{Driven, Guard};
pub use self::open::{Opened, open};
pub use self::run::{Run, Settled};
pub use self::stored::{Bytes, FailureToStore, Storable, StoredFailure};
pub use crate::fingerprint::{FieldType, Hasher};
pub use crate::key::{KeyBuilder, part, tenant, write_part};
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

/// Adds one declared field.
pub fn hash_field<T: serde::Serialize + ?Sized>(
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
