//! What every SQL store does alike: reading a row's columns, and sorting the driver's errors.

use std::borrow::Cow;
use std::time::{Duration, SystemTime};

use sqlx::{ColumnIndex, Decode, Row as Columns, Type};

use crate::claim::{ResultKind, Row, Status, StoredResult};
use crate::{Fence, Key, StoreError, StoreErrorKind, StoredError, StoredErrorKind};

/// Reads the columns of `read.sql`, in its order. A row that holds what it never may is an error
/// and never a guess: nothing runs on it.
pub(in crate::store) fn read<'r, R>(columns: &'r R, key: &Key) -> Result<Row, StoredError>
where
    R: Columns,
    usize: ColumnIndex<R>,
    &'r str: Decode<'r, R::Database> + Type<R::Database>,
    &'r [u8]: Decode<'r, R::Database> + Type<R::Database>,
    bool: Decode<'r, R::Database> + Type<R::Database>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
{
    let columns = ColumnsOf { columns, key };
    let status: &str = columns.get(1, "status")?;
    let Some(status) = Status::from_stored(status) else {
        return Err(StoredError::new(
            key.as_str(),
            StoredErrorKind::UnknownStatus {
                status: status.to_owned(),
            },
        ));
    };
    let lease_left: Option<i64> = columns.get(3, "lease_until")?;
    if (status == Status::InFlight) != lease_left.is_some() {
        return Err(columns.bad("lease_until"));
    }
    let attempt = columns.count(7, "attempt")?;
    let fence: i64 = columns.get(8, "fence")?;
    let request_hash: &[u8] = columns.get(4, "request_hash")?;
    if request_hash.len() != 32 {
        return Err(columns.bad("request_hash"));
    }
    Ok(Row {
        workflow: columns.get::<&str>(0, "workflow")?.to_owned(),
        status,
        expired: columns.get(2, "expires_at")?,
        lease_left: lease_left
            .and_then(|millis| u64::try_from(millis).ok())
            .filter(|millis| *millis > 0)
            .map(Duration::from_millis),
        request_hash: request_hash.to_vec(),
        hash_recipe: columns.count(5, "hash_recipe")?,
        field_digests: columns.get::<&[u8]>(6, "field_digests")?.to_vec(),
        attempt,
        fence: Fence::from_stored(fence).ok_or_else(|| columns.bad("fence"))?,
        result: columns.result(status)?,
        begun_effect: columns
            .get::<Option<&str>>(13, "begun_effect")?
            .map(str::to_owned),
        ambiguous_reason: columns
            .get::<Option<&str>>(14, "ambiguous_reason")?
            .map(str::to_owned),
    })
}

struct ColumnsOf<'a, 'r, R> {
    columns: &'r R,
    key: &'a Key,
}

impl<'r, R> ColumnsOf<'_, 'r, R>
where
    R: Columns,
    usize: ColumnIndex<R>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
{
    fn get<T>(&self, index: usize, name: &'static str) -> Result<T, StoredError>
    where
        T: Decode<'r, R::Database> + Type<R::Database>,
    {
        self.columns.try_get(index).map_err(|_| self.bad(name))
    }

    fn count(&self, index: usize, name: &'static str) -> Result<u32, StoredError> {
        let number: i64 = self.get(index, name)?;
        u32::try_from(number).map_err(|_| self.bad(name))
    }

    fn bad(&self, column: &'static str) -> StoredError {
        StoredError::new(self.key.as_str(), StoredErrorKind::BadColumn { column })
    }

    fn result(&self, status: Status) -> Result<Option<StoredResult>, StoredError>
    where
        &'r str: Decode<'r, R::Database> + Type<R::Database>,
        &'r [u8]: Decode<'r, R::Database> + Type<R::Database>,
    {
        if status != Status::Done {
            return Ok(None);
        }
        let Some(kind) = self.get::<Option<&str>>(9, "response_kind")? else {
            return Ok(None);
        };
        let kind = ResultKind::from_stored(kind).ok_or_else(|| self.bad("response_kind"))?;
        let bytes: Option<&[u8]> = self.get(10, "response")?;
        if bytes.is_none() && kind != ResultKind::Tombstone {
            return Ok(None);
        }
        let completed_at: i64 = self.get(12, "completed_at")?;
        Ok(Some(StoredResult {
            kind,
            bytes: bytes.unwrap_or_default().to_vec(),
            version: self.count(11, "response_version")?,
            completed_at: moment(completed_at).ok_or_else(|| self.bad("completed_at"))?,
        }))
    }
}

/// The moment that many milliseconds after 1970.
pub(in crate::store) fn moment(millis: i64) -> Option<SystemTime> {
    let since = Duration::from_millis(u64::try_from(millis).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(since)
}

/// Sorts a driver's error: what the driver itself noticed is the same for every database, what the
/// database answered is up to `sort`, which is given its code.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(in crate::store) fn store_error(
    doing: impl Into<Cow<'static, str>>,
    error: sqlx::Error,
    sort: fn(code: &str) -> Sorted,
) -> StoreError {
    sorted(&error, sort).while_doing(doing).caused_by(error)
}

/// What an error means for the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Sorted {
    /// The transaction lost against a concurrent one.
    Conflict,
    /// Anything else.
    Kind(StoreErrorKind),
}

impl Sorted {
    pub(in crate::store) fn while_doing(self, doing: impl Into<Cow<'static, str>>) -> StoreError {
        match self {
            Self::Conflict => StoreError::conflict(doing),
            Self::Kind(kind) => StoreError::new(kind, doing),
        }
    }
}

pub(in crate::store) fn sorted(error: &sqlx::Error, sort: fn(code: &str) -> Sorted) -> Sorted {
    if let sqlx::Error::Database(answer) = error {
        return match answer.code() {
            Some(code) => sort(&code),
            None => Sorted::Kind(StoreErrorKind::Permanent),
        };
    }
    // A reply out of turn is among them: whatever else is wrong, this connection is of no use.
    let unreachable = matches!(
        error,
        sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
            | sqlx::Error::BeginFailed
    );
    Sorted::Kind(if unreachable {
        StoreErrorKind::Connection
    } else {
        StoreErrorKind::Permanent
    })
}
