//! The `impl` of a trait, with and without `self`.
#![deny(warnings, clippy::all)]

use idem::{MemoryStore, Outcome, idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event {
    id: u64,
}

type Answered = Result<Outcome<u64>, idem::Error<Infallible>>;

trait Handles {
    async fn with_self(&self, store: &MemoryStore, event: &Event) -> Answered;
    async fn without(store: &MemoryStore, event: &Event) -> Answered;
}

struct Desk {
    tenant: u64,
}

impl Handles for Desk {
    #[idempotent(workflow = "with-self", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
    async fn with_self(&self, tx: &mut Tx<'_>, event: &Event) -> Result<u64, Infallible> {
        tx.put("tenant", self.tenant.to_string());
        Ok(event.id)
    }

    #[idempotent(workflow = "without", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
    async fn without(tx: &mut Tx<'_>, event: &Event) -> Result<u64, Infallible> {
        tx.put("event", event.id.to_string());
        Ok(event.id)
    }
}

async fn run() {
    let store = MemoryStore::new();
    let event = Event { id: 1 };
    assert!(matches!(Desk { tenant: 7 }.with_self(&store, &event).await, Ok(Outcome::Fresh(_))));
    assert!(matches!(Desk::without(&store, &event).await, Ok(Outcome::Fresh(_))));
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run());
}
