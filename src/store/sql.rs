//! What every SQL store does alike. No store imports another; they share this.

pub(super) mod desk;
pub(super) mod fields;
pub(super) mod row;
pub(super) mod statement;
pub(super) mod table;

use super::{Held, Request, Store};
use crate::claim::{Claim, Decision, FUSED_RETRY, Row, Told, decide, decide_among};
use crate::observe;
use crate::{Fence, StoreError, StoreErrorKind, StoredError};

/// Decides on the row found; one that cannot be read decides too.
pub(super) fn judge(found: Option<Result<Row, StoredError>>, request: &Request) -> Decision {
    match found.transpose() {
        Ok(row) => decide(row, request),
        Err(unreadable) => Decision::Told(Told::Unreadable(unreadable)),
    }
}

/// What is known under a key: nothing, a row, or one that cannot be read.
pub(super) type Found = Option<Result<Row, StoredError>>;

/// What a row says of an effect whose provider may have forgotten its key, before it is named.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
const UNNAMED: &str = "an effect";

/// The row that was found, where it does not say yet which effect is overdue.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(super) fn with_unnamed_effect(found: &mut Found) -> Option<&mut Row> {
    let row = found.as_mut()?.as_mut().ok()?;
    let is_unnamed = row.begun_effect.as_deref() == Some(UNNAMED);
    is_unnamed.then_some(row)
}

/// The same during an overlap of recipes, and the rows that were found under previous keys.
pub(super) fn judge_among(
    found: Found,
    previous: Vec<(u8, Result<Row, StoredError>)>,
    request: &Request,
) -> (Decision, Vec<(u8, Row)>) {
    let readable = |(at, row): (u8, Result<Row, StoredError>)| row.map(|row| (at, row));
    let previous: Result<Vec<_>, _> = previous.into_iter().map(readable).collect();
    match (found.transpose(), previous) {
        (Ok(row), Ok(rows)) => (decide_among(row, rows.clone(), request), rows),
        (Err(unreadable), _) | (_, Err(unreadable)) => {
            (Decision::Told(Told::Unreadable(unreadable)), Vec::new())
        }
    }
}

/// Whether that answer, found under the present key alone, holds whatever is known under others.
#[cfg(any(feature = "postgres", feature = "mysql"))]
pub(super) fn is_certain(told: &Told, request: &Request) -> bool {
    request.previous_keys().is_empty() || matches!(told, Told::Replay { .. })
}

/// What a caller is told while no row says how long the other attempt will take.
pub(super) fn busy(request: &Request) -> Told {
    Told::Busy {
        retry_after: FUSED_RETRY.min(request.workflow().lease().duration()),
    }
}

/// The leased claim of that attempt and fence, as a statement returned or wrote them.
pub(super) fn won(attempt: i64, fence: i64) -> Result<Claim, StoreError> {
    match (u32::try_from(attempt), Fence::from_stored(fence)) {
        (Ok(attempt), Some(fence)) => Ok(Claim {
            attempt,
            fence,
            followed: None,
            previous: None,
        }),
        (Ok(_) | Err(_), _) => Err(StoreError::new(
            StoreErrorKind::Permanent,
            "reading a claim's attempt and fence",
        )),
    }
}

/// Whether a statement that is conditional on a claim found it.
pub(super) fn held(affected: u64) -> Held {
    if affected > 0 {
        Held::Yes(())
    } else {
        Held::Lost
    }
}

/// Why there is no connection. The driver says the same of a pool whose connections are all in use and
/// of one that cannot open any; only the first will pass by itself.
pub(super) fn no_connection<DB: sqlx::Database>(
    doing: &'static str,
    pool: &sqlx::Pool<DB>,
    error: sqlx::Error,
    failed: fn(doing: &'static str, error: sqlx::Error) -> StoreError,
) -> StoreError {
    let most = pool.options().get_max_connections();
    if matches!(error, sqlx::Error::PoolTimedOut) && pool.size() >= most {
        let what = format!(
            "{doing}: every connection of the pool ({most}) was in use for as long as the pool waits; \
             give the pool more connections, or run fewer calls at once"
        );
        return StoreError::new(StoreErrorKind::Transient, what).caused_by(error);
    }
    failed(doing, error)
}

/// Gives a claim back from a destructor: in the background, where there is a runtime.
pub(super) fn release_in_background<S: Store>(store: S, request: Request, claim: Claim) {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        return;
    };
    runtime.spawn(async move {
        if let Err(error) = store.release(&request, &claim).await {
            observe::release_failed(&request, &error);
        }
    });
}
