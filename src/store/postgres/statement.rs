//! The statements as the driver takes them, and what they return.

use std::time::SystemTime;

use idem_templates::sql::postgres as files;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query;
use sqlx::{Postgres, Row as _};

use super::codes::failed;
use crate::StoreError;
use crate::claim::Claim;
use crate::store::Held;
use crate::store::sql::statement::{Files, Statement, Value};
use crate::store::sql::{row, won};

pub(super) const FILES: Files = Files {
    claim: files::CLAIM,
    renew: files::RENEW,
    complete: files::COMPLETE,
    complete_fused: files::COMPLETE_FUSED,
    fail: files::FAIL,
    fail_fused: files::FAIL_FUSED,
    release: files::RELEASE,
};

/// A statement as the driver takes it.
pub(super) fn bound(statement: Statement<'_>) -> Query<'_, Postgres, PgArguments> {
    let query = sqlx::query(statement.text);
    statement
        .values
        .into_iter()
        .fold(query, |query, value| match value {
            Value::Text(text) => query.bind(text),
            Value::MaybeText(text) => query.bind(text),
            Value::Bytes(bytes) => query.bind(bytes),
            Value::OwnBytes(bytes) => query.bind(bytes),
            Value::MaybeBytes(bytes) => query.bind(bytes),
            Value::Number(number) => query.bind(number),
            Value::MaybeNumber(number) => query.bind(number),
        })
}

/// The claim that `claim.sql` returned.
pub(super) fn won_claim(row: &PgRow) -> Result<Claim, StoreError> {
    let read = || -> Result<(i64, i64), sqlx::Error> { Ok((row.try_get(0)?, row.try_get(1)?)) };
    let (attempt, fence) = read().map_err(|error| failed("claiming a key", error))?;
    won(attempt, fence)
}

pub(super) fn completed_at(
    row: Option<&PgRow>,
    doing: &'static str,
) -> Result<Held<SystemTime>, StoreError> {
    let Some(row) = row else {
        return Ok(Held::Lost);
    };
    let millis = row.try_get(0).map_err(|error| failed(doing, error))?;
    Ok(Held::Yes(
        row::moment(millis).unwrap_or(SystemTime::UNIX_EPOCH),
    ))
}
