//! The row of a key, as a claim judges it.

use idem_templates::sql::postgres as files;
use sqlx::PgConnection;

use crate::Key;
use crate::store::sql::{Found, row, with_unnamed_effect};

/// Reads the row of a key.
pub(super) async fn read(connection: &mut PgConnection, key: &Key) -> Result<Found, sqlx::Error> {
    let found = sqlx::query(files::READ)
        .bind(key.as_str())
        .fetch_optional(&mut *connection)
        .await?;
    let found = found.map(|columns| row::read(&columns, key));
    named(connection, key, found).await
}

/// What was found, with the name of the effect whose provider may have forgotten its key.
pub(super) async fn named(
    connection: &mut PgConnection,
    key: &Key,
    mut found: Found,
) -> Result<Found, sqlx::Error> {
    if let Some(row) = with_unnamed_effect(&mut found) {
        let effect: Option<String> = sqlx::query_scalar(files::EFFECT_OVERDUE)
            .bind(key.as_str())
            .fetch_one(connection)
            .await?;
        row.begun_effect = effect.or(row.begun_effect.take());
    }
    Ok(found)
}
