use std::time::Duration;

use idem::MemoryStore;

use crate::conformance::harness::{Harness, Speaks, TxOf};

pub(crate) struct Memory(MemoryStore);

impl Harness for Memory {
    type Store = MemoryStore;
    const SPEAKS: Speaks = Speaks::Nothing;

    async fn fresh() -> Option<Self> {
        Some(Self(MemoryStore::new()))
    }
    fn store(&self) -> &MemoryStore {
        &self.0
    }
    async fn stranger(&self) -> MemoryStore {
        self.0.clone()
    }
    async fn put(tx: &mut TxOf<Self>, name: &str) -> Result<(), sqlx::Error> {
        tx.put(name, "written");
        Ok(())
    }
    async fn sql(&self, _statements: &str) {}
    async fn count(&self, table: &'static str) -> u64 {
        let effects = table == "effects";
        (if effects {
            self.0.values()
        } else {
            self.0.rows()
        }) as u64
    }
    async fn age(&self, by: Duration) {
        self.0.advance(by);
    }
    async fn close(self) {}
}
