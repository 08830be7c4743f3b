//! Scratch files, one for each scene.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use idem_templates::drill::sqlite as files;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{AssertSqlSafe, Row as _, Sqlite};

use super::{DrillStore, Statements, quoted, run_statements, statements};
use crate::Observer;
use crate::drill::subject::Trouble;
use crate::sqlite::{SqliteStore, Tx};

/// Short, because in a drill the one writer is often held on purpose.
const BUSY_TIMEOUT: Duration = Duration::from_millis(500);

impl DrillStore for SqliteStore {
    type Driver = Sqlite;

    const STATEMENTS: &'static Statements = &statements!(sqlite);

    async fn scratch(url: Option<&str>) -> Result<String, Trouble> {
        let beside = match url {
            None => std::env::temp_dir().join("scratch"),
            Some(url) if url.contains(":memory:") || url.contains("mode=memory") => {
                return Err("a database in memory ends with its process, and the drill kills processes: give it a file".into());
            }
            Some(url) => SqliteConnectOptions::from_str(url)?
                .get_filename()
                .to_owned(),
        };
        let folder = beside
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if folder.is_some_and(|folder| !folder.is_dir()) {
            return Err(format!("there is no folder for `{}`", beside.display()).into());
        }
        Ok(format!("sqlite://{}", unused(&beside).display()))
    }

    async fn discard(url: &str) -> Result<(), Trouble> {
        let options = SqliteConnectOptions::from_str(url)?;
        for ending in ["", "-wal", "-shm"] {
            let mut file = options.get_filename().as_os_str().to_owned();
            file.push(ending);
            match std::fs::remove_file(&file) {
                Ok(()) => {}
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    async fn connect(url: &str, observer: Option<Arc<dyn Observer>>) -> Result<Self, Trouble> {
        let options = SqliteConnectOptions::from_str(url)?
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT);
        let pool = SqlitePoolOptions::new()
            .test_before_acquire(false)
            .connect_with(options)
            .await?;
        let store = Self::with_busy_timeout(pool, BUSY_TIMEOUT);
        Ok(match observer {
            Some(observer) => store.observed(observer),
            None => store,
        })
    }

    async fn rows_of(&self, table: &str, without: &[&str]) -> Result<String, Trouble> {
        let columns: Vec<String> = sqlx::query_scalar(files::COLUMNS_OF)
            .bind(table)
            .fetch_all(self.pool())
            .await?;
        if columns.is_empty() {
            return Err(format!("there is no table `{table}`").into());
        }
        let texts: Vec<String> = columns
            .iter()
            .filter(|column| !without.contains(&column.as_str()))
            .map(|column| {
                let name = column.replace('\'', "''");
                format!("'{name}=' || quote({})", quoted(column))
            })
            .collect();
        let statement = files::ROWS
            .replace("idem_drill_columns", &texts.join(" || ' ' || "))
            .replace("idem_drill_any", &quoted(table));
        let rows: Vec<String> = sqlx::query_scalar(AssertSqlSafe(statement))
            .fetch_all(self.pool())
            .await?;
        Ok(rows.join("\n"))
    }

    run_statements!(SqliteConnection);

    fn connection<'c>(tx: &'c mut Tx<'static>) -> &'c mut SqliteConnection {
        tx
    }

    async fn unclaimed(&self) -> Result<sqlx::Transaction<'static, Sqlite>, sqlx::Error> {
        self.pool().begin().await
    }

    fn is_writer_held(error: &sqlx::Error) -> bool {
        error
            .as_database_error()
            .and_then(|answer| answer.code())
            .and_then(|code| code.parse::<i32>().ok())
            // The low byte is the primary result code; 5 is SQLITE_BUSY.
            .is_some_and(|code| code & 0xff == 5)
    }
}

/// A file name beside that one which nothing else uses: two drills may run at once.
fn unused(beside: &Path) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let process = std::process::id();
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut name = beside.as_os_str().to_owned();
        name.push(format!(".idem-drill-{process}-{number}"));
        let path = PathBuf::from(name);
        if !path.exists() {
            return path;
        }
    }
}
