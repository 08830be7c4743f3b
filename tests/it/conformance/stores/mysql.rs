use idem::MysqlStore;

use crate::conformance::harness::{self, Harness, Speaks, TxOf};
use crate::mysql_server::{Scratch, scratch};

pub(crate) struct Mysql(MysqlStore, pub(crate) Scratch);

impl Harness for Mysql {
    type Store = MysqlStore;
    const SPEAKS: Speaks = Speaks::Mysql;

    async fn fresh() -> Option<Self> {
        let scratch = scratch().await?;
        let this = Self(MysqlStore::new(scratch.pool().await), scratch);
        Some(harness::with_tables(this).await)
    }
    fn store(&self) -> &MysqlStore {
        &self.0
    }
    async fn stranger(&self) -> MysqlStore {
        MysqlStore::new(self.1.pool().await)
    }
    async fn put(tx: &mut TxOf<Self>, name: &str) -> Result<(), sqlx::Error> {
        let put = sqlx::query(harness::PUT_IN_PLACE).bind(name.to_owned());
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
        self.1.drop(self.0.pool()).await;
    }
}
