//! The tables: made, upgraded and looked at.

use idem_templates::sql::{Migration, mysql as files};
use sqlx::Row as _;

use super::session::Session;
use super::statements::numbered;
use super::{MysqlStore, errors};
use crate::store::sql::table::{self, Dialect, Found, Kind};
use crate::{StoreError, StoreErrorKind};

/// How long a process waits for another one that migrates: longer than an index of a large table
/// takes to make.
const PATIENCE_SECONDS: i64 = 600;

const DIALECT: Dialect = Dialect {
    type_of: |name, kind| match (name, kind) {
        ("idempotency_key", _) => "varbinary(255)",
        ("contract_digest", _) => "varbinary(16)",
        ("request_hash", _) => "varbinary(32)",
        ("field_digests", _) => "blob",
        ("status" | "response_kind", _) => "varchar(16)",
        ("workflow" | "begun_effect", _) => "varchar(255)",
        (_, Kind::Text) => "text",
        (_, Kind::Bytes) => "longblob",
        (_, Kind::Integer) => "int",
        (_, Kind::Long) => "bigint",
        (_, Kind::Moment) => "datetime(6)",
    },
    bytewise: "binary",
    migrations: files::MIGRATIONS,
};

/// Applies what is missing. A lock of the session is held from the first look to the last record,
/// so of two processes one finds nothing to do.
pub(super) async fn migrate(store: &MysqlStore) -> Result<Vec<u32>, StoreError> {
    const DOING: &str = "waiting for another process that migrates";
    let fail = |error| errors::failed(DOING, error);
    let mut session = store.live(DOING).await?;
    let locked = numbered(&files::MIGRATIONS_LOCK)
        .bind(PATIENCE_SECONDS)
        .fetch_one(session.asking())
        .await
        .map_err(fail)?;
    if !locked.try_get::<bool, _>(0).map_err(fail)? {
        return Err(StoreError::new(StoreErrorKind::Transient, DOING));
    }
    // From here to the end the session is not whole: dropped, it lets go of the lock.
    let mut applied = Vec::new();
    for migration in files::MIGRATIONS {
        let done = apply(&mut session, migration).await.map_err(|error| {
            let doing = format!("applying migration {}", migration.file_stem());
            errors::sorted(&error).while_doing(doing).caused_by(error)
        })?;
        if done {
            applied.push(migration.number);
        }
    }
    let unlocked = sqlx::raw_sql(files::MIGRATIONS_UNLOCK)
        .execute(session.asking())
        .await;
    session.answered(unlocked).map_err(fail)?;
    Ok(applied)
}

/// Applies one migration where it is missing. The server commits each statement that changes
/// tables, so a process that died may have left some of it: what is there already is then as good
/// as made. Anything else by that name is somebody's, and refused.
async fn apply(session: &mut Session, migration: &Migration) -> Result<bool, sqlx::Error> {
    let number = i64::from(migration.number);
    let connection = session.asking();
    sqlx::raw_sql(files::MIGRATIONS_TABLE)
        .execute(&mut *connection)
        .await?;
    let newest: Option<i64> = sqlx::query_scalar(files::MIGRATION_LATEST)
        .fetch_one(&mut *connection)
        .await?;
    if newest.is_some_and(|newest| newest >= number) {
        return Ok(false);
    }
    let begun = numbered(&files::MIGRATION_BEGUN)
        .bind(number)
        .fetch_optional(&mut *connection)
        .await?
        .is_some();
    if !begun {
        numbered(&files::MIGRATION_BEGIN)
            .bind(number)
            .bind(migration.name)
            .execute(&mut *connection)
            .await?;
    }
    for statement in statements(migration.sql) {
        let error = match sqlx::raw_sql(statement).execute(&mut *connection).await {
            Ok(_) => continue,
            Err(error) => error,
        };
        if begun && errors::is_made(&error) {
            continue;
        }
        if !begun {
            numbered(&files::MIGRATION_FORGET)
                .bind(number)
                .execute(&mut *connection)
                .await?;
        }
        return Err(error);
    }
    numbered(&files::MIGRATION_APPLIED)
        .bind(number)
        .execute(&mut *connection)
        .await?;
    Ok(true)
}

/// The statements of a migration, each of which ends a line.
fn statements(sql: &'static str) -> impl Iterator<Item = &'static str> {
    sql.split_inclusive(";\n")
        .filter(|statement| statement.contains(';'))
}

pub(super) async fn check(store: &MysqlStore) -> Result<(), StoreError> {
    const DOING: &str = "reading which tables there are";
    let mut session = store.live(DOING).await?;
    let found = look(&mut session).await;
    let found = session
        .answered(found)
        .map_err(|error| errors::failed(DOING, error))?;
    table::check(&found, &DIALECT)
}

async fn look(session: &mut Session) -> Result<Found, sqlx::Error> {
    let connection = session.asking();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_migration_is_taken_apart_into_its_statements() {
        for migration in files::MIGRATIONS {
            let statements: Vec<&str> = statements(migration.sql).collect();
            assert_eq!(statements.concat(), migration.sql);
            let ends = migration.sql.lines().filter(|line| line.ends_with(';'));
            assert_eq!(statements.len(), ends.count());
        }
    }
}
