//! The tables: made, upgraded and looked at.

use idem_templates::sql::postgres as files;
use sqlx::Row as _;

use super::PostgresStore;
use super::codes::{failed, sort};
use crate::StoreError;
use crate::store::sql::row;
use crate::store::sql::table::{self, Dialect, Found, Kind};

const DIALECT: Dialect = Dialect {
    type_of: |_, kind| match kind {
        Kind::Text => "text",
        Kind::Bytes => "bytea",
        Kind::Integer => "integer",
        Kind::Long => "bigint",
        Kind::Moment => "timestamp with time zone",
    },
    bytewise: "C",
    migrations: files::MIGRATIONS,
};

/// Applies what is missing, each migration in a transaction that also records it. A lock is held
/// from looking to recording, so of two processes one finds nothing to do.
pub(super) async fn migrate(store: &PostgresStore) -> Result<Vec<u32>, StoreError> {
    let mut applied = Vec::new();
    for migration in files::MIGRATIONS {
        let fail = |error| {
            let doing = format!("applying migration {}", migration.file_stem());
            row::store_error(doing, error, sort)
        };
        let mut transaction = store.pool.begin().await.map_err(fail)?;
        for statement in [files::MIGRATIONS_LOCK, files::MIGRATIONS_TABLE] {
            sqlx::raw_sql(statement)
                .execute(&mut *transaction)
                .await
                .map_err(fail)?;
        }
        let newest: Option<i64> = sqlx::query_scalar(files::MIGRATION_LATEST)
            .fetch_one(&mut *transaction)
            .await
            .map_err(fail)?;
        if newest.is_some_and(|newest| newest >= i64::from(migration.number)) {
            transaction.rollback().await.map_err(fail)?;
            continue;
        }
        sqlx::raw_sql(migration.sql)
            .execute(&mut *transaction)
            .await
            .map_err(fail)?;
        sqlx::query(files::MIGRATION_APPLIED)
            .bind(i64::from(migration.number))
            .bind(migration.name)
            .execute(&mut *transaction)
            .await
            .map_err(fail)?;
        transaction.commit().await.map_err(fail)?;
        applied.push(migration.number);
    }
    Ok(applied)
}

pub(super) async fn check(store: &PostgresStore) -> Result<(), StoreError> {
    let found = look(store)
        .await
        .map_err(|error| failed("reading which tables there are", error))?;
    table::check(&found, &DIALECT)
}

async fn look(store: &PostgresStore) -> Result<Found, sqlx::Error> {
    let mut connection = store.pool.acquire().await?;
    let names: Vec<String> = sqlx::query_scalar(files::TABLES)
        .fetch_all(&mut *connection)
        .await?;
    let there = |name: &str| names.iter().any(|found| found == name);
    let newest: Option<i64> = if there("idem_migrations") {
        sqlx::query_scalar(files::MIGRATION_LATEST)
            .fetch_one(&mut *connection)
            .await?
    } else {
        None
    };
    let columns = sqlx::query(files::COLUMNS)
        .fetch_all(&mut *connection)
        .await?
        .iter()
        .map(|row| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?)))
        .collect::<Result<_, sqlx::Error>>()?;
    let unique_key = sqlx::query_scalar(files::UNIQUE_KEY)
        .fetch_optional(&mut *connection)
        .await?;
    Ok(Found {
        newest: newest.and_then(|number| u32::try_from(number).ok()),
        columns,
        unique_key,
        expiry_index: there("processed_operations_by_expiry"),
        desk: there("dead_letters") && there("operation_settlements"),
    })
}
