//! Handlers on the transactions of SQLite and Postgres, by another name and with a named lifetime.
#![deny(warnings, clippy::all)]

use idem::idempotent;
use idem::postgres::Tx as PostgresTx;
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event {
    id: u64,
}

#[derive(Debug, idem::Failure)]
enum Failed {
    #[failure(transparent)]
    Store(sqlx::Error),
}

impl From<sqlx::Error> for Failed {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error)
    }
}

#[idempotent(workflow = "embedded", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
async fn embedded(tx: &mut idem::sqlite::Tx<'_>, event: &Event) -> Result<u64, Failed> {
    sqlx::query("insert into events (id) values (?)").bind(event.id as i64).execute(&mut **tx).await?;
    Ok(event.id)
}

#[idempotent(workflow = "server", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
async fn server(tx: &mut PostgresTx<'_>, event: &Event) -> Result<u64, Failed> {
    sqlx::query("insert into events (id) values ($1)").bind(event.id as i64).execute(&mut **tx).await?;
    Ok(event.id)
}

#[idempotent(workflow = "named", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
async fn named<'t>(tx: &mut PostgresTx<'t>, event: &Event) -> Result<u64, Infallible> {
    let _ = tx.fence();
    Ok(event.id)
}

fn main() {
    let _ = (embedded, server, named);
}
