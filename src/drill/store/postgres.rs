//! Scratch schemas, one for each scene.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use idem_templates::drill::postgres as files;
use sqlx::postgres::{PgConnection, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection as _, Postgres, Row as _};

use super::{DrillStore, Statements, quoted, run_statements, statements};
use crate::Observer;
use crate::drill::subject::Trouble;
use crate::postgres::{PostgresStore, Tx};

/// The scratch schema's place in an address.
const SEARCH_PATH: &str = "options[search_path]=";

impl DrillStore for PostgresStore {
    type Driver = Postgres;

    const STATEMENTS: &'static Statements = &statements!(postgres);

    async fn scratch(url: Option<&str>) -> Result<String, Trouble> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let url = url.ok_or("Postgres has to be told which server: give the drill an address")?;
        let mut connection = PgConnection::connect(url).await?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let began = std::time::SystemTime::UNIX_EPOCH
            .elapsed()
            .unwrap_or_default();
        // The process and the moment: nobody else, on no other machine, has both.
        let schema = format!(
            "idem_drill_{}_{}_{number}",
            began.as_micros(),
            std::process::id()
        );
        let statement = files::SCHEMA.replace("idem_drill_any", &quoted(&schema));
        sqlx::raw_sql(AssertSqlSafe(statement))
            .execute(&mut connection)
            .await?;
        connection.close().await?;
        let joint = if url.contains('?') { '&' } else { '?' };
        Ok(format!("{url}{joint}{SEARCH_PATH}{schema}"))
    }

    async fn discard(url: &str) -> Result<(), Trouble> {
        let (_, schema) = url
            .rsplit_once(SEARCH_PATH)
            .ok_or("this is no scratch schema's address")?;
        let mut connection = PgConnection::connect(url).await?;
        let statement = files::DROP_SCHEMA.replace("idem_drill_any", &quoted(schema));
        sqlx::raw_sql(AssertSqlSafe(statement))
            .execute(&mut connection)
            .await?;
        connection.close().await?;
        Ok(())
    }

    async fn connect(url: &str, observer: Option<Arc<dyn Observer>>) -> Result<Self, Trouble> {
        let pool = PgPoolOptions::new()
            .max_connections(16)
            .connect(url)
            .await?;
        let store = Self::new(pool);
        Ok(match observer {
            Some(observer) => store.observed(observer),
            None => store,
        })
    }

    async fn rows_of(&self, table: &str, without: &[&str]) -> Result<String, Trouble> {
        let table: Vec<String> = table.split('.').map(quoted).collect();
        let statement = files::ROWS.replace("idem_drill_any", &table.join("."));
        let without: Vec<String> = without.iter().map(|name| (*name).to_owned()).collect();
        let rows: Vec<String> = sqlx::query_scalar(AssertSqlSafe(statement))
            .bind(without)
            .fetch_all(self.pool())
            .await?;
        Ok(rows.join("\n"))
    }

    run_statements!(PgConnection);

    fn connection<'c>(tx: &'c mut Tx<'static>) -> &'c mut PgConnection {
        tx
    }

    async fn unclaimed(&self) -> Result<sqlx::Transaction<'static, Postgres>, sqlx::Error> {
        self.pool().begin().await
    }

    fn is_writer_held(_: &sqlx::Error) -> bool {
        false
    }
}
