//! What SQLite's answers mean: by result code, never by text.

use std::path::Path;

use crate::store::sql::row::{self, Sorted};
use crate::{StoreError, StoreErrorKind};

/// Refuses a path where no file can be opened or made, before the database says that it cannot and
/// not why.
pub(super) fn refuse_wrong_path(path: &Path) -> Result<(), StoreError> {
    let refuse = |what: String| Err(StoreError::new(StoreErrorKind::Permanent, what));
    let shown = path.display();
    if path.is_dir() {
        return refuse(format!(
            "opening the database `{shown}`: it is a folder; name a file in it"
        ));
    }
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => refuse(format!(
            "opening the database `{shown}`: there is no folder `{}`; create it, or correct the path",
            folder.display()
        )),
        Some(_) | None => Ok(()),
    }
}

/// Why that file was not opened.
pub(super) fn not_opened(path: &Path, error: sqlx::Error) -> StoreError {
    let shown = path.display();
    let code = error
        .as_database_error()
        .and_then(|answer| answer.code())
        .and_then(|code| code.parse::<i32>().ok())
        .map(|code| code & 0xff);
    let hint = match code {
        Some(CANNOT_OPEN | READ_ONLY) => {
            "; this program must be allowed to read and write it and its folder"
        }
        Some(NOT_A_DATABASE) => "; it is no SQLite database, so name another file",
        Some(_) | None => "",
    };
    let what = format!("opening the database `{shown}`{hint}");
    match code {
        Some(CANNOT_OPEN) => StoreError::new(StoreErrorKind::Permanent, what).caused_by(error),
        Some(_) | None => row::store_error(what, error, sort),
    }
}

pub(super) fn too_busy(doing: &'static str) -> StoreError {
    StoreError::new(StoreErrorKind::Transient, doing)
        .caused_by("the database's one writer was not free within the busy timeout")
}

pub(super) fn failed(doing: &'static str, error: sqlx::Error) -> StoreError {
    row::store_error(doing, error, sort)
}

/// Whether the one writer, or the file, was not to be had in time.
pub(super) fn is_busy(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .and_then(|answer| answer.code())
        .and_then(|code| code.parse::<i32>().ok())
        .is_some_and(|code| matches!(code & 0xff, BUSY | LOCKED))
}

const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const READ_ONLY: i32 = 8;
const CANNOT_OPEN: i32 = 14;
const NOT_A_DATABASE: i32 = 26;
/// A reading transaction that could not become a writing one: another wrote meanwhile.
const BUSY_SNAPSHOT: i32 = BUSY | 2 << 8;

/// Sorts SQLite's result codes; the low byte is the primary one.
pub(super) fn sort(code: &str) -> Sorted {
    let Ok(code) = code.parse::<i32>() else {
        return Sorted::Kind(StoreErrorKind::Permanent);
    };
    match (code, code & 0xff) {
        (BUSY_SNAPSHOT, _) => Sorted::Conflict,
        // 7 no memory, 9 interrupted, 13 disk full, 15 locking protocol.
        (_, BUSY | LOCKED | 7 | 9 | 13 | 15) => Sorted::Kind(StoreErrorKind::Transient),
        // 10 input or output failed.
        (_, 10 | CANNOT_OPEN) => Sorted::Kind(StoreErrorKind::Connection),
        _ => Sorted::Kind(StoreErrorKind::Permanent),
    }
}
