//! What the server's answers mean: by SQLSTATE, never by text, which comes in the server's language.

use crate::store::sql::row::{self, Sorted};
use crate::{StoreError, StoreErrorKind};

pub(super) fn failed(doing: &'static str, error: sqlx::Error) -> StoreError {
    if has_code(&error, READ_ONLY) {
        return takes_no_writes(doing).caused_by(error);
    }
    row::store_error(doing, error, sort)
}

const READ_ONLY: &str = "25006";

/// A standby that answers questions, or a primary that was set read-only for a while: with the next
/// connection the same call may succeed.
pub(super) fn takes_no_writes(doing: &'static str) -> StoreError {
    let what = format!(
        "{doing} on a server that takes no writes: it is a standby, or was set read-only; \
         connect to the primary"
    );
    StoreError::new(StoreErrorKind::Transient, what)
}

/// What was being done when a completion failed. Postgres refuses every statement after one that
/// failed, so a handler that swallowed an error is found out here.
pub(super) fn completing(error: &sqlx::Error) -> &'static str {
    if is_aborted(error) {
        "completing a claim whose handler went on after a failed statement; \
         let the handler return that statement's error"
    } else {
        "completing a claim"
    }
}

/// Whether the connection is of no use, and another one may be asked instead.
pub(super) fn is_unusable(error: &sqlx::Error) -> bool {
    is_aborted(error) || row::sorted(error, sort) == Sorted::Kind(StoreErrorKind::Connection)
}

/// Whether the connection lies in a transaction that has failed. Where that happened while it was
/// begun, the driver does not notice, and lends the connection to the next caller.
pub(super) fn is_aborted(error: &sqlx::Error) -> bool {
    has_code(error, "25P02")
}

/// Whether a statement lost against a concurrent one, and did nothing.
pub(super) fn is_conflict(error: &sqlx::Error) -> bool {
    row::sorted(error, sort) == Sorted::Conflict
}

/// Whether a `lock_timeout` of the caller's session ended a wait.
pub(super) fn is_lock_timeout(error: &sqlx::Error) -> bool {
    has_code(error, "55P03")
}

fn has_code(error: &sqlx::Error, code: &str) -> bool {
    error
        .as_database_error()
        .and_then(|answer| answer.code())
        .is_some_and(|found| found == code)
}

/// Sorts SQLSTATEs; the first two characters are the class.
pub(super) fn sort(code: &str) -> Sorted {
    match code {
        // Serialization failure, deadlock.
        "40001" | "40P01" => Sorted::Conflict,
        // Shut down by an operator, crashed, not yet up, database dropped.
        "57P01" | "57P02" | "57P03" | "57P04" => Sorted::Kind(StoreErrorKind::Connection),
        // Lock not available, canceled, read-only (a standby that was the primary, or will be).
        "55P03" | "57014" | READ_ONLY => Sorted::Kind(StoreErrorKind::Transient),
        _ => Sorted::Kind(match code.get(..2) {
            Some("08") => StoreErrorKind::Connection,
            // Out of connections, memory or disk; a rollback for any other reason.
            Some("53" | "40") => StoreErrorKind::Transient,
            _ => StoreErrorKind::Permanent,
        }),
    }
}
