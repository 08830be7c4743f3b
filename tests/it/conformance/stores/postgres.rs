use idem::PostgresStore;

use crate::conformance::harness::{self, Harness, Speaks, TxOf};
use crate::postgres_server::{Schema, schema};

pub(crate) struct Postgres(PostgresStore, pub(crate) Schema);

impl Harness for Postgres {
    type Store = PostgresStore;
    const SPEAKS: Speaks = Speaks::Postgres;

    async fn fresh() -> Option<Self> {
        let schema = schema().await?;
        let this = Self(PostgresStore::new(schema.pool().await), schema);
        Some(harness::with_tables(this).await)
    }
    fn store(&self) -> &PostgresStore {
        &self.0
    }
    async fn stranger(&self) -> PostgresStore {
        PostgresStore::new(self.1.pool().await)
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
        self.1.drop(self.0.pool()).await;
    }
}
