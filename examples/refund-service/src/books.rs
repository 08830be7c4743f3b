//! Where refunds are written: SQLite without a server, or Postgres by URL.

use std::fmt;

use idem::{Error, Outcome, PostgresStore, SqliteStore, Store as _, StoreError};
use serde::Serialize;

use crate::refund::{Pace, Receipt, Refund, RefundError, refund_in_postgres, refund_in_sqlite};

/// What the service writes, besides the tables of idem.
pub const TABLES: &str = include_str!("../sql/tables.sql");
const LIST_REFUNDS: &str = include_str!("../sql/list_refunds.sql");

/// The books, in one of the two databases.
#[derive(Clone, Debug)]
pub enum Books {
    /// A file.
    Sqlite(SqliteStore),
    /// A server.
    Postgres(PostgresStore),
}

/// A refund in the books.
#[derive(Debug, Serialize)]
pub struct Booked {
    /// The refund.
    pub refund_id: String,
    /// Its order.
    pub order_id: String,
    /// In minor units.
    pub amount: i64,
    /// Of the amount.
    pub currency: String,
    /// How many ledger postings stand behind it; two, or something is wrong.
    pub postings: i64,
}

/// The books could not be opened.
#[derive(Debug)]
pub enum OpenError {
    /// The address names neither database.
    Address(String),
    /// The bookkeeping's tables could not be made.
    Store(StoreError),
    /// Our own could not.
    Tables(sqlx::Error),
}

impl Books {
    /// Opens the books at an address, `sqlite://refunds.db` or `postgres://…`, and makes the tables
    /// that are missing: idem's by its migrations, and our own.
    ///
    /// # Errors
    ///
    /// When the database cannot be reached, or does not let us.
    pub async fn open(url: &str) -> Result<Self, OpenError> {
        if let Some(path) = url.strip_prefix("sqlite://") {
            let store = SqliteStore::open(path).await?;
            store.migrate().await?;
            sqlx::raw_sql(TABLES).execute(store.pool()).await?;
            return Ok(Self::Sqlite(store));
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let store = PostgresStore::connect(url).await?;
            store.migrate().await?;
            sqlx::raw_sql(TABLES).execute(store.pool()).await?;
            return Ok(Self::Postgres(store));
        }
        Err(OpenError::Address(url.to_owned()))
    }

    /// Closes the books: a SQLite file is whole without its `-wal` file afterwards.
    pub async fn close(&self) {
        match self {
            Self::Sqlite(store) => store.pool().close().await,
            Self::Postgres(store) => store.pool().close().await,
        }
    }

    /// Refunds, once.
    ///
    /// # Errors
    ///
    /// As the wrapped handler says: each error tells what a retry may do.
    pub async fn refund(
        &self,
        event: &Refund,
        pace: Pace,
    ) -> Result<Outcome<Receipt>, Error<RefundError>> {
        match self {
            Self::Sqlite(store) => refund_in_sqlite(store, event, pace).await,
            Self::Postgres(store) => refund_in_postgres(store, event, pace).await,
        }
    }

    /// A tenant's refunds.
    ///
    /// # Errors
    ///
    /// When the database cannot be asked.
    pub async fn list(&self, tenant: &str) -> Result<Vec<Booked>, sqlx::Error> {
        let rows: Vec<(String, String, i64, String, i64)> = match self {
            Self::Sqlite(store) => {
                let list = sqlx::query_as(LIST_REFUNDS).bind(tenant);
                list.fetch_all(store.pool()).await?
            }
            Self::Postgres(store) => {
                let list = sqlx::query_as(LIST_REFUNDS).bind(tenant);
                list.fetch_all(store.pool()).await?
            }
        };
        let booked = |(refund_id, order_id, amount, currency, postings)| Booked {
            refund_id,
            order_id,
            amount,
            currency,
            postings,
        };
        Ok(rows.into_iter().map(booked).collect())
    }
}

impl From<StoreError> for OpenError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<sqlx::Error> for OpenError {
    fn from(error: sqlx::Error) -> Self {
        Self::Tables(error)
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(url) => write!(
                f,
                "`{url}` is neither `sqlite://<path>` nor `postgres://<address>`"
            ),
            Self::Store(_) => f.write_str("the bookkeeping's tables cannot be made"),
            Self::Tables(_) => f.write_str("the tables of the books cannot be made"),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Address(_) => None,
            Self::Store(error) => Some(error),
            Self::Tables(error) => Some(error),
        }
    }
}
