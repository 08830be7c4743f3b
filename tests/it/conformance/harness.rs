//! What a test needs of a store besides its promises: a fresh one, a way to age a row, a count.

use std::future::Future;
use std::path::Path;
use std::time::Duration;

use idem::store::{EffectStore, Store, TransactionalStore};
use idem::{Fence, Key, SqliteStore};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Executor as _, Row as _};

pub(crate) type TxOf<H> = <<H as Harness>::Store as TransactionalStore>::Tx;

/// What a store understands besides its promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaks {
    Nothing,
    Sqlite,
    Postgres,
    Mysql,
}

pub(crate) trait Harness: Send + Sync + Sized + 'static {
    type Store: TransactionalStore;
    const SPEAKS: Speaks;

    /// A store of its own for one test; `None` when its server is not there.
    fn fresh() -> impl Future<Output = Option<Self>> + Send;

    fn store(&self) -> &Self::Store;

    /// Another process's view of the same data: it shares nothing else.
    fn stranger(&self) -> impl Future<Output = Self::Store> + Send;

    /// The handler's business write.
    fn put(tx: &mut TxOf<Self>, name: &str)
    -> impl Future<Output = Result<(), sqlx::Error>> + Send;

    /// Sends a handler's statements through its transaction. Does nothing where nothing is spoken.
    fn send(
        tx: &mut TxOf<Self>,
        statements: &'static str,
    ) -> impl Future<Output = Result<(), sqlx::Error>> + Send {
        let _ = (tx, statements);
        std::future::ready(Ok(()))
    }

    /// Runs statements as an operator would. Does nothing where nothing is spoken.
    fn sql(&self, statements: &str) -> impl Future<Output = ()> + Send;

    /// How many rows a table has: `effects` holds the committed business writes.
    fn count(&self, table: &'static str) -> impl Future<Output = u64> + Send;

    /// Makes every row look that much older to the store's clock.
    fn age(&self, by: Duration) -> impl Future<Output = ()> + Send {
        let by = by.as_millis();
        async move {
            let statement = match Self::SPEAKS {
                Speaks::Nothing => return,
                Speaks::Sqlite => include_str!("stores/age_sqlite.sql"),
                Speaks::Postgres => include_str!("stores/age_postgres.sql"),
                Speaks::Mysql => include_str!("stores/age_mysql.sql"),
            };
            self.sql(&statement.replace("$1", &by.to_string())).await;
        }
    }

    fn effects(&self) -> impl Future<Output = u64> + Send {
        self.count("effects")
    }

    /// How many keys are known, expired ones included.
    fn rows(&self) -> impl Future<Output = u64> + Send {
        self.count("processed_operations")
    }

    /// Ends the test: nothing of it remains on a shared server.
    fn close(self) -> impl Future<Output = ()> + Send;
}

/// A harness whose store remembers effects outside it.
pub(crate) trait Outside: Harness<Store: EffectStore> {}

impl<H: Harness<Store: EffectStore>> Outside for H {}

/// The business write of every database here.
pub(crate) const PUT: &str = "insert into effects (name) values ($1)";

/// The same where parameters have places and no numbers.
pub(crate) const PUT_IN_PLACE: &str = "insert into effects (name) values (?)";

/// Makes our tables, and the business table beside them.
pub(crate) async fn with_tables<H: Harness>(harness: H) -> H {
    harness
        .store()
        .migrate()
        .await
        .expect("the tables are made");
    harness
        .sql(match H::SPEAKS {
            Speaks::Mysql => "create table effects (name varbinary(3072) primary key)",
            Speaks::Nothing | Speaks::Sqlite | Speaks::Postgres => {
                "create table effects (name text primary key)"
            }
        })
        .await;
    harness
}

/// Another process on that file, which waits less for the one writer than a test should take.
pub(crate) async fn impatient(file: &Path) -> SqliteStore {
    let patience = Duration::from_millis(50);
    let options = SqliteConnectOptions::new()
        .filename(file)
        .busy_timeout(patience);
    let pool = sqlx::SqlitePool::connect_with(options)
        .await
        .expect("it opens");
    SqliteStore::with_busy_timeout(pool, patience)
}

pub(crate) async fn run<DB>(pool: &sqlx::Pool<DB>, statements: &str)
where
    DB: sqlx::Database,
    for<'c> &'c mut DB::Connection: sqlx::Executor<'c, Database = DB>,
{
    let mut connection = pool.acquire().await.expect("a connection");
    let statements = sqlx::AssertSqlSafe(statements.to_owned());
    let ran = connection.execute(sqlx::raw_sql(statements)).await;
    ran.expect("an operator's statement");
}

pub(crate) async fn count<DB>(pool: &sqlx::Pool<DB>, table: &'static str) -> u64
where
    DB: sqlx::Database,
    for<'c> &'c mut DB::Connection: sqlx::Executor<'c, Database = DB>,
    for<'r> i64: sqlx::Decode<'r, DB> + sqlx::Type<DB>,
    usize: sqlx::ColumnIndex<DB::Row>,
{
    let mut connection = pool.acquire().await.expect("a connection");
    let query = sqlx::AssertSqlSafe(format!("select count(*) from {table}"));
    let row = connection
        .fetch_one(sqlx::raw_sql(query))
        .await
        .expect("a count");
    row.get::<i64, _>(0).unsigned_abs()
}

/// Status, attempt and fence of a row, as they are stored.
pub(crate) async fn row<S: Store>(store: &S, key: &Key) -> Option<(&'static str, u32, Fence)> {
    let row = store.read(key).await.expect("the store answers")?;
    let row = row.expect("the row can be read");
    Some((row.status.as_str(), row.attempt, row.fence))
}

/// Runs each named test against every store, on as many threads as a race needs; those behind
/// `databases:` only where there is a database to break.
macro_rules! against_every_store {
    ($($test:ident),* $(,)? $(; databases: $($sql:ident),* $(,)?)?) => {
        mod memory {
            $(crate::conformance::harness::against_one_store!(Memory: $test);)*
        }
        mod sqlite {
            $(crate::conformance::harness::against_one_store!(Sqlite: $test);)*
            $($(crate::conformance::harness::against_one_store!(Sqlite: $sql);)*)?
        }
        mod postgres {
            $(crate::conformance::harness::against_one_store!(Postgres: $test);)*
            $($(crate::conformance::harness::against_one_store!(Postgres: $sql);)*)?
        }
        mod mysql {
            $(crate::conformance::harness::against_one_store!(Mysql: $test);)*
            $($(crate::conformance::harness::against_one_store!(Mysql: $sql);)*)?
        }
    };
}

/// Runs each named test against the embedded database and against each server.
macro_rules! against_every_database {
    ($($test:ident),* $(,)?) => {
        mod sqlite {
            $(crate::conformance::harness::against_one_store!(Sqlite: $test);)*
        }
        mod postgres {
            $(crate::conformance::harness::against_one_store!(Postgres: $test);)*
        }
        mod mysql {
            $(crate::conformance::harness::against_one_store!(Mysql: $test);)*
        }
    };
}

macro_rules! against_one_store {
    ($harness:ident: $test:ident) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $test() {
            use crate::conformance::{harness::Harness, stores::$harness};
            if let Some(harness) = <$harness as Harness>::fresh().await {
                super::$test(&harness).await;
                harness.close().await;
            }
        }
    };
}

pub(crate) use {against_every_database, against_every_store, against_one_store};
