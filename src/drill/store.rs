//! What a store has to offer to be drilled: scratch databases, and rows that age by hand.

#[cfg(feature = "mysql")]
mod mysql;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite;

use std::future::Future;
use std::sync::Arc;

use super::subject::Trouble;
use crate::{Key, Observer, TransactionalStore};

/// What is done to the bookkeeping's rows instead of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Age {
    /// Every running lease is over.
    EndLeases,
    /// Every finished row is past its window.
    Expire,
    /// Every done row is one whose last attempt failed.
    Fail,
}

/// Whether rows could be aged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aged {
    /// They were.
    Yes,
    /// An open transaction holds the database's one writer: nobody can write, so nobody can take
    /// over either.
    WriterHeld,
}

/// A row of the bookkeeping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The key.
    pub key: String,
    /// The status, as stored.
    pub status: String,
    /// All that the row holds.
    pub text: String,
}

/// A store that can be drilled.
///
/// **Errors**: whatever the driver says; the report shows it.
pub trait DrillStore: TransactionalStore {
    /// The driver.
    type Driver: sqlx::Database;

    /// The drill's own statements.
    const STATEMENTS: &'static Statements;

    /// Makes an empty scratch database and returns its address: on the server or beside the file
    /// given, or wherever the store likes.
    fn scratch(url: Option<&str>) -> impl Future<Output = Result<String, Trouble>> + Send;

    /// Removes a scratch database and all that is in it.
    fn discard(url: &str) -> impl Future<Output = Result<(), Trouble>> + Send;

    /// Connects to a scratch database.
    fn connect(
        url: &str,
        observer: Option<Arc<dyn Observer>>,
    ) -> impl Future<Output = Result<Self, Trouble>> + Send;

    /// Every row of a table as text, sorted, without some of its columns.
    fn rows_of(
        &self,
        table: &str,
        without: &[&str],
    ) -> impl Future<Output = Result<String, Trouble>> + Send;

    /// Runs a statement that changes rows and says how many.
    fn execute(
        connection: &mut <Self::Driver as sqlx::Database>::Connection,
        statement: &'static str,
        texts: &[&str],
    ) -> impl Future<Output = Result<u64, sqlx::Error>> + Send;

    /// Runs a statement that returns texts.
    fn fetch(
        connection: &mut <Self::Driver as sqlx::Database>::Connection,
        statement: &'static str,
        texts: &[&str],
    ) -> impl Future<Output = Result<Vec<Vec<String>>, sqlx::Error>> + Send;

    /// The driver's connection behind a handler's transaction.
    fn connection(tx: &mut Self::Tx) -> &mut <Self::Driver as sqlx::Database>::Connection;

    /// A transaction without a claim.
    fn unclaimed(
        &self,
    ) -> impl Future<Output = Result<sqlx::Transaction<'static, Self::Driver>, sqlx::Error>> + Send;

    /// Whether an error says that somebody else holds the database's one writer.
    fn is_writer_held(error: &sqlx::Error) -> bool;

    /// The bookkeeping's rows.
    fn records(&self) -> impl Future<Output = Result<Vec<Record>, Trouble>> + Send {
        records(self, Self::STATEMENTS.records)
    }

    /// Ages the bookkeeping's rows.
    fn age(&self, age: Age) -> impl Future<Output = Result<Aged, Trouble>> + Send {
        change(
            self,
            match age {
                Age::EndLeases => Self::STATEMENTS.end_leases,
                Age::Expire => Self::STATEMENTS.expire,
                Age::Fail => Self::STATEMENTS.fail,
            },
        )
    }
}

/// The drill's own statements, in a store's dialect; the files say what each decides.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is documented by its file's heading")]
pub struct Statements {
    pub end_leases: &'static str,
    pub expire: &'static str,
    pub fail: &'static str,
    pub records: &'static str,
    pub rename: &'static str,
    pub effects_table: &'static str,
    pub effect: &'static str,
    pub effects: &'static str,
    pub twin_table: &'static str,
    pub twin_read: &'static str,
    pub twin_claim: &'static str,
    pub twin_complete: &'static str,
    pub twin_complete_unfenced: &'static str,
    pub twin_insert_done: &'static str,
    pub twin_end_leases: &'static str,
    pub twin_expire: &'static str,
    pub twin_fail: &'static str,
    pub twin_records: &'static str,
}

/// The statements of a dialect, each from its file.
macro_rules! statements {
    ($dialect:ident) => {
        crate::drill::store::Statements {
            end_leases: idem_templates::drill::$dialect::END_LEASES,
            expire: idem_templates::drill::$dialect::EXPIRE,
            fail: idem_templates::drill::$dialect::FAIL,
            records: idem_templates::drill::$dialect::RECORDS,
            rename: idem_templates::drill::$dialect::RENAME,
            effects_table: idem_templates::drill::$dialect::EFFECTS_TABLE,
            effect: idem_templates::drill::$dialect::EFFECT,
            effects: idem_templates::drill::$dialect::EFFECTS,
            twin_table: idem_templates::drill::$dialect::TWIN_TABLE,
            twin_read: idem_templates::drill::$dialect::TWIN_READ,
            twin_claim: idem_templates::drill::$dialect::TWIN_CLAIM,
            twin_complete: idem_templates::drill::$dialect::TWIN_COMPLETE,
            twin_complete_unfenced: idem_templates::drill::$dialect::TWIN_COMPLETE_UNFENCED,
            twin_insert_done: idem_templates::drill::$dialect::TWIN_INSERT_DONE,
            twin_end_leases: idem_templates::drill::$dialect::TWIN_END_LEASES,
            twin_expire: idem_templates::drill::$dialect::TWIN_EXPIRE,
            twin_fail: idem_templates::drill::$dialect::TWIN_FAIL,
            twin_records: idem_templates::drill::$dialect::TWIN_RECORDS,
        }
    };
}
pub(super) use statements;

/// The driver's two ways to run a statement with text parameters; only the types differ.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
macro_rules! run_statements {
    ($connection:ty) => {
        async fn execute(
            connection: &mut $connection,
            statement: &'static str,
            texts: &[&str],
        ) -> Result<u64, sqlx::Error> {
            let mut query = sqlx::query(statement);
            for text in texts {
                query = query.bind((*text).to_owned());
            }
            Ok(query.execute(connection).await?.rows_affected())
        }

        async fn fetch(
            connection: &mut $connection,
            statement: &'static str,
            texts: &[&str],
        ) -> Result<Vec<Vec<String>>, sqlx::Error> {
            let mut query = sqlx::query(statement);
            for text in texts {
                query = query.bind((*text).to_owned());
            }
            let rows = query.fetch_all(connection).await?;
            rows.iter()
                .map(|row| (0..row.len()).map(|at| row.try_get(at)).collect())
                .collect()
        }
    };
}
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(super) use run_statements;

/// Every row of a business table as text, sorted, without some of its columns: times, generated
/// numbers, whatever may differ although the same effects happened.
///
/// **Errors**: there is no such table.
pub async fn rows<S: DrillStore>(
    store: &S,
    table: &str,
    without: &[&str],
) -> Result<String, Trouble> {
    Ok(format!(
        "{table}:\n{}",
        store.rows_of(table, without).await?
    ))
}

/// Puts a row under another key, and says how many rows that were.
pub(super) async fn rename<S: DrillStore>(store: &S, from: &Key, to: &Key) -> Result<u64, Trouble> {
    let mut transaction = store.unclaimed().await?;
    let texts = [from.as_str(), to.as_str()];
    let renamed = S::execute(&mut transaction, S::STATEMENTS.rename, &texts).await?;
    transaction.commit().await?;
    Ok(renamed)
}

/// Runs one changing statement in a transaction of its own.
pub(super) async fn change<S: DrillStore>(
    store: &S,
    statement: &'static str,
) -> Result<Aged, Trouble> {
    let changed = async {
        let mut transaction = store.unclaimed().await?;
        S::execute(&mut transaction, statement, &[]).await?;
        transaction.commit().await
    };
    match changed.await {
        Ok(()) => Ok(Aged::Yes),
        Err(error) if S::is_writer_held(&error) => Ok(Aged::WriterHeld),
        Err(error) => Err(error.into()),
    }
}

/// Reads rows of key, status and text.
pub(super) async fn records<S: DrillStore>(
    store: &S,
    statement: &'static str,
) -> Result<Vec<Record>, Trouble> {
    let mut transaction = store.unclaimed().await?;
    let rows = S::fetch(&mut transaction, statement, &[]).await?;
    transaction.rollback().await?;
    rows.into_iter()
        .map(|row| match <[String; 3]>::try_from(row) {
            Ok([key, status, text]) => Ok(Record { key, status, text }),
            Err(_) => Err("a record has three columns".into()),
        })
        .collect()
}

/// A name as an identifier of standard SQL.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
