//! What the server's answers mean, by their numbers.

use sqlx::mysql::MySqlDatabaseError;

use crate::store::sql::row::{self, Sorted};
use crate::{StoreError, StoreErrorKind};

pub(super) fn failed(doing: &'static str, error: sqlx::Error) -> StoreError {
    let takes_no_writes = READ_ONLY
        .into_iter()
        .any(|number| has_number(&error, number));
    if takes_no_writes {
        let what = format!(
            "{doing} on a server that takes no writes: it is a replica, or was set read-only; \
             connect to the primary"
        );
        return StoreError::new(StoreErrorKind::Transient, what).caused_by(error);
    }
    sorted(&error).while_doing(doing).caused_by(error)
}

/// A server, a transaction, a storage engine that is read-only.
const READ_ONLY: [u16; 3] = [1290, 1792, 1836];

/// Sorts an error: the server's by its number, the driver's as for every database.
pub(super) fn sorted(error: &sqlx::Error) -> Sorted {
    match answer(error) {
        Some(answer) => sort(answer.number(), answer.code().unwrap_or_default()),
        None => row::sorted(error, |_| Sorted::Kind(StoreErrorKind::Permanent)),
    }
}

fn answer(error: &sqlx::Error) -> Option<&MySqlDatabaseError> {
    error.as_database_error()?.try_downcast_ref()
}

fn has_number(error: &sqlx::Error, number: u16) -> bool {
    answer(error).is_some_and(|answer| answer.number() == number)
}

/// Whether a statement lost against a concurrent one, and did nothing.
pub(super) fn is_conflict(error: &sqlx::Error) -> bool {
    sorted(error) == Sorted::Conflict
}

/// Whether the unique key refused a row.
pub(super) fn is_taken(error: &sqlx::Error) -> bool {
    has_number(error, 1062)
}

/// Whether a wait for a row was longer than the session allows.
pub(super) fn is_lock_timeout(error: &sqlx::Error) -> bool {
    has_number(error, 1205)
}

/// Whether there is no savepoint of that name.
pub(super) fn is_unsealed(error: &sqlx::Error) -> bool {
    has_number(error, 1305)
}

/// Whether a table, a column, an index or a row is there already.
pub(super) fn is_made(error: &sqlx::Error) -> bool {
    [1050, 1060, 1061, 1062]
        .into_iter()
        .any(|number| has_number(error, number))
}

/// Sorts by number; the SQLSTATE says the rest, and only that: a lock's timeout has the general one.
fn sort(number: u16, state: &str) -> Sorted {
    match number {
        // Deadlock, also a certification that failed in a cluster; a row that changed since the
        // snapshot; a group's rollback at commit.
        1213 | 1020 | 3101 => Sorted::Conflict,
        // Too many connections, of all or of this user; lock wait timeout, or none allowed; canceled
        // or out of time; disk, table, memory or locks used up; read-only (a replica that was the
        // primary, or will be).
        1040 | 1203 | 1205 | 3572 | 1317 | 1969 | 3024 | 1021 | 1114 | 1037 | 1038 | 1041
        | 1206 | 1290 | 1792 | 1836 => Sorted::Kind(StoreErrorKind::Transient),
        // Killed; dropped after idling.
        1927 | 4031 => Sorted::Kind(StoreErrorKind::Connection),
        _ => Sorted::Kind(match state.get(..2) {
            // Shutting down and a cluster's node without a quorum are among them.
            Some("08") => StoreErrorKind::Connection,
            // A rollback for any other reason.
            Some("40") => StoreErrorKind::Transient,
            _ => StoreErrorKind::Permanent,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_decide_before_states() {
        for (number, state, expected) in [
            (1213, "40001", Sorted::Conflict),
            (1020, "HY000", Sorted::Conflict),
            (1205, "HY000", Sorted::Kind(StoreErrorKind::Transient)),
            (1040, "08004", Sorted::Kind(StoreErrorKind::Transient)),
            (1927, "70100", Sorted::Kind(StoreErrorKind::Connection)),
            (1053, "08S01", Sorted::Kind(StoreErrorKind::Connection)),
            (1047, "08S01", Sorted::Kind(StoreErrorKind::Connection)),
            (1402, "40000", Sorted::Kind(StoreErrorKind::Transient)),
            (1062, "23000", Sorted::Kind(StoreErrorKind::Permanent)),
            (9999, "", Sorted::Kind(StoreErrorKind::Permanent)),
        ] {
            assert_eq!(sort(number, state), expected, "{number}");
        }
    }
}
