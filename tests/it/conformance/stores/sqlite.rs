use idem::SqliteStore;
use tempfile::TempDir;

use crate::conformance::harness::{self, Harness, Speaks, TxOf};

pub(crate) struct Sqlite(SqliteStore, TempDir);

impl Harness for Sqlite {
    type Store = SqliteStore;
    const SPEAKS: Speaks = Speaks::Sqlite;

    async fn fresh() -> Option<Self> {
        let folder = TempDir::new().expect("a scratch folder");
        let store = SqliteStore::open(folder.path().join("it.db")).await;
        let this = Self(store.expect("it opens"), folder);
        Some(harness::with_tables(this).await)
    }
    fn store(&self) -> &SqliteStore {
        &self.0
    }
    async fn stranger(&self) -> SqliteStore {
        let file = self.1.path().join("it.db");
        harness::impatient(&file).await
    }
    async fn put(tx: &mut TxOf<Self>, name: &str) -> Result<(), sqlx::Error> {
        let put = sqlx::query(harness::PUT).bind(name.to_owned());
        put.execute(&mut **tx).await.map(drop)
    }
    async fn send(tx: &mut TxOf<Self>, statements: &'static str) -> Result<(), sqlx::Error> {
        sqlx::raw_sql(statements).execute(&mut **tx).await.map(drop)
    }
    async fn sql(&self, statements: &str) {
        harness::run(self.0.pool(), statements).await;
    }
    async fn count(&self, table: &'static str) -> u64 {
        harness::count(self.0.pool(), table).await
    }
    async fn close(self) {
        self.0.pool().close().await;
    }
}
