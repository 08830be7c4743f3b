//! Methods, public and private, and an associated function.
#![deny(warnings, clippy::all)]

use idem::{MemoryStore, Outcome, idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event {
    id: u64,
}

struct Desk {
    tenant: u64,
}

impl Desk {
    #[idempotent(workflow = "public", key = (self.tenant, event.id), lease = "30s", window = "30d", max_attempts = 5)]
    pub async fn public(&self, tx: &mut Tx<'_>, event: &Event) -> Result<u64, Infallible> {
        self.book(tx);
        Ok(self.tenant + event.id)
    }

    #[idempotent(workflow = "private", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
    async fn private(&self, tx: &mut Tx<'_>, event: Event) -> Result<u64, Infallible> {
        self.book(tx);
        if event.id == 0 {
            return Ok(0);
        }
        Ok(self.tenant + event.id)
    }

    #[idempotent(workflow = "private-with-self", key = (self.tenant, event.id), lease = "30s", window = "30d", max_attempts = 5)]
    async fn private_with_self(&self, tx: &mut Tx<'_>, event: &Event) -> Result<u64, Infallible> {
        self.book(tx);
        Ok(self.tenant + event.id)
    }

    #[idempotent(workflow = "associated", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
    pub async fn associated(tx: &mut Tx<'_>, event: &Event) -> Result<u64, Infallible> {
        Self { tenant: 1 }.book(tx);
        Ok(event.id)
    }

    fn book(&self, tx: &mut Tx<'_>) {
        tx.put("tenant", self.tenant.to_string());
    }
}

async fn run() {
    let store = MemoryStore::new();
    let desk = Desk { tenant: 7 };
    let event = Event { id: 1 };
    for replayed in [false, true] {
        let answers = [
            desk.public(&store, &event).await,
            desk.private(&store, Event { id: 1 }).await,
            desk.private_with_self(&store, &event).await,
            Desk::associated(&store, &event).await,
        ];
        for answer in answers {
            assert_eq!(answer.as_ref().ok().map(Outcome::is_replay), Some(replayed), "{answer:?}");
        }
    }
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run());
}
