//! An alias of `Result`, with one parameter or none.
#![deny(warnings, clippy::all)]

use idem::{MemoryStore, Outcome, idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(Debug, idem::Failure)]
enum Failed {
    #[failure(no_effect)]
    Down,
}

type Result<T> = std::result::Result<T, Failed>;
type Answer = std::result::Result<u64, Infallible>;

#[derive(serde::Serialize)]
struct Event {
    id: u64,
}

#[idempotent(workflow = "one", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
async fn one(tx: &mut Tx<'_>, event: &Event) -> Result<u64> {
    tx.put("event", event.id.to_string());
    if event.id == 0 {
        return Err(Failed::Down);
    }
    Ok(event.id)
}

#[idempotent(workflow = "none", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
async fn none(tx: &mut Tx<'_>, event: &Event) -> Answer {
    tx.put("event", event.id.to_string());
    Ok(event.id)
}

async fn run() {
    let store = MemoryStore::new();
    assert!(matches!(one(&store, &Event { id: 1 }).await, Ok(Outcome::Fresh(_))));
    assert!(matches!(one(&store, &Event { id: 0 }).await, Err(idem::Error::Failed(Failed::Down))));
    assert!(matches!(none(&store, &Event { id: 1 }).await, Ok(Outcome::Fresh(_))));
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run());
}
