//! A facade that exports idem under its own roof.
#![deny(warnings, clippy::all)]

mod facade {
    pub use ::idem as inner;
}

use facade::inner::{MemoryStore, Outcome, memory::Tx};

#[derive(serde::Serialize)]
struct Event {
    id: OrderId,
}

#[derive(serde::Serialize, facade::inner::KeyPart)]
#[key_part(crate = crate::facade::inner)]
struct OrderId(u64);

#[derive(Debug, facade::inner::Failure)]
#[failure(crate = crate::facade::inner)]
enum Failed {
    #[failure(final)]
    NotPaid,
}

#[facade::inner::idempotent(workflow = "facade", key = (event.id, sha256(event.id)), lease = "30s", window = "30d", max_attempts = 5, crate = crate::facade::inner)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<u64, Failed> {
    tx.put("event", event.id.0.to_string());
    if event.id.0 == 0 {
        return Err(Failed::NotPaid);
    }
    Ok(event.id.0)
}

async fn run() {
    let store = MemoryStore::new();
    let event = Event { id: OrderId(3) };
    assert!(matches!(handle(&store, &event).await, Ok(Outcome::Fresh(_))));
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run());
}
