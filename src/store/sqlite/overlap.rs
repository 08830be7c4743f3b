//! A claim while a changed key recipe overlaps with its previous ones.

use idem_templates::sql::sqlite as files;
use sqlx::SqliteConnection;

use super::tx::Writing;
use super::{FILES, SqliteStore, bound, failed, is_busy, read, won_claim};
use crate::claim::{Claim, Decision, Row};
use crate::store::sql::{Found, busy, judge_among};
use crate::store::{Claimed, Request};
use crate::{StoreError, StoredError};

const DOING: &str = "claiming a key";

/// Decides on the row found under the present key, and on those under the keys of previous recipes
/// whose time is not over; those rows as well.
pub(super) async fn among(
    connection: &mut SqliteConnection,
    found: Found,
    request: &Request,
) -> Result<(Decision, Vec<(u8, Row)>), StoreError> {
    let mut previous: Vec<(u8, Result<Row, StoredError>)> = Vec::new();
    for (at, known) in (0..).zip(request.previous_keys()) {
        let lasts: bool = sqlx::query_scalar(files::IS_BEFORE)
            .bind(known.until_millis())
            .fetch_one(&mut *connection)
            .await
            .map_err(|error| failed(DOING, error))?;
        if lasts && let Some(row) = read(connection, known.key()).await? {
            previous.push((at, row));
        }
    }
    Ok(judge_among(found, previous, request))
}

/// Claims in one transaction: the rows under all keys are read while this is the only writer.
pub(super) async fn claim(
    store: &SqliteStore,
    request: &Request,
) -> Result<Claimed<Claim>, StoreError> {
    let fail = |error| failed(DOING, error);
    // What is known already is told without the one writer.
    let mut connection = store.connection(DOING).await?;
    let found = read(&mut connection, request.key()).await?;
    if let (Decision::Told(told), _) = among(&mut connection, found, request).await? {
        return Ok(Claimed::Told(told));
    }
    drop(connection);
    let Some(writer) = store.inner.queue().await else {
        return Ok(Claimed::Told(busy(request)));
    };
    let connection = store.connection(DOING).await?;
    let mut writing = match Writing::begin(writer, connection, None).await {
        Ok(writing) => writing,
        Err(error) if is_busy(&error) => return Ok(Claimed::Told(busy(request))),
        Err(error) => return Err(fail(error)),
    };
    let found = read(writing.connection(), request.key()).await?;
    let (decision, rows) = among(writing.connection(), found, request).await?;
    let followed = match decision {
        Decision::Won(claim) => claim,
        Decision::Told(told) => {
            writing.rollback().await.map_err(fail)?;
            return Ok(Claimed::Told(told));
        }
    };
    let mut going_on = request.clone();
    going_on.go_on(&followed);
    let row = rows.iter().find(|(at, _)| Some(*at) == followed.previous);
    let statement = FILES.claim(&going_on).hashed_as(row.map(|(_, row)| row));
    let won = bound(statement)
        .fetch_all(writing.connection())
        .await
        .map_err(fail)?;
    let Some(row) = won.first() else {
        writing.rollback().await.map_err(fail)?;
        return Ok(Claimed::Told(busy(request)));
    };
    let claim = Claim {
        previous: followed.previous,
        ..won_claim(row)?
    };
    writing.commit().await.map_err(fail)?;
    Ok(Claimed::Won(claim))
}
