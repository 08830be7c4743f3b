//! A claim while a changed key recipe overlaps with its previous ones.

use idem_templates::sql::postgres as files;
use sqlx::{PgConnection, SqlSafeStr as _};

use super::seen::{claim_lock_of, lock_of};
use super::statement::{FILES, bound, won_claim};
use super::{Found, PostgresStore, begin, failed, is_conflict, read};
use crate::claim::{Claim, Decision, Row};
use crate::store::sql::{busy, judge_among};
use crate::store::{Claimed, Request};
use crate::{Key, StoreError};

const DOING: &str = "claiming a key";

/// Decides on the row found under the present key, and on those under the keys of previous recipes
/// whose time is not over; those rows as well. Whoever has the lock of such a key is at work on it,
/// or is claiming it; so has whoever has the present key's, where that is not ours.
pub(super) async fn among(
    connection: &mut PgConnection,
    found: Found,
    request: &Request,
    lock: fn(&Key) -> i64,
    is_ours: bool,
) -> Result<(Decision, Vec<(u8, Row)>), sqlx::Error> {
    let mut previous = Vec::new();
    let mut free = is_ours;
    for (at, known) in (0..).zip(request.previous_keys()) {
        let (lasts, is_free): (bool, bool) = sqlx::query_as(files::TRY_PREVIOUS)
            .bind(lock(known.key()))
            .bind(known.until_millis())
            .bind(free)
            .fetch_one(&mut *connection)
            .await?;
        if !lasts {
            continue;
        }
        free &= is_free;
        if let Some(row) = read(connection, known.key()).await? {
            previous.push((at, row));
        }
    }
    let (decision, rows) = judge_among(found, previous, request);
    Ok(match decision {
        Decision::Won(_) if !free => (Decision::Told(busy(request)), rows),
        decision @ (Decision::Won(_) | Decision::Told(_)) => (decision, rows),
    })
}

/// The same for a fused claim, whose locks are held until its transaction ends.
pub(super) async fn among_fused(
    connection: &mut PgConnection,
    found: Found,
    request: &Request,
    is_ours: bool,
) -> Result<Decision, sqlx::Error> {
    let among = among(connection, found, request, lock_of, is_ours).await;
    among.map(|(decision, _)| decision)
}

/// Claims in one transaction: under the locks that the claim takes under each key, so that no other
/// claim comes between the look and the statement.
pub(super) async fn claim(
    store: &PostgresStore,
    request: &Request,
) -> Result<Claimed<Claim>, StoreError> {
    let fail = |error| failed(DOING, error);
    for _ in 0..super::ROUNDS {
        let connection = store.live(DOING).await?;
        let mut transaction = begin(connection, files::BEGIN_LEASED.into_sql_str())
            .await
            .map_err(fail)?;
        let (_, is_ours): (bool, bool) = sqlx::query_as(files::TRY_PREVIOUS)
            .bind(claim_lock_of(request.key()))
            .bind(0_i64)
            .bind(true)
            .fetch_one(&mut *transaction)
            .await
            .map_err(fail)?;
        let found = read(&mut transaction, request.key()).await.map_err(fail)?;
        let (decision, rows) = among(&mut transaction, found, request, claim_lock_of, is_ours)
            .await
            .map_err(fail)?;
        let followed = match decision {
            Decision::Won(claim) => claim,
            Decision::Told(told) => {
                transaction.rollback().await.map_err(fail)?;
                return Ok(Claimed::Told(told));
            }
        };
        let mut going_on = request.clone();
        going_on.go_on(&followed);
        let row = rows.iter().find(|(at, _)| Some(*at) == followed.previous);
        let statement = FILES.claim(&going_on).hashed_as(row.map(|(_, row)| row));
        match bound(statement).fetch_optional(&mut *transaction).await {
            Ok(Some(row)) => {
                let claim = Claim {
                    previous: followed.previous,
                    ..won_claim(&row)?
                };
                transaction.commit().await.map_err(fail)?;
                return Ok(Claimed::Won(claim));
            }
            Ok(None) => transaction.rollback().await.map_err(fail)?,
            Err(error) if is_conflict(&error) => transaction.rollback().await.map_err(fail)?,
            Err(error) => return Err(fail(error)),
        }
    }
    Ok(Claimed::Told(busy(request)))
}
