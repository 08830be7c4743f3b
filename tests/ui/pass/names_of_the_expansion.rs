//! Arguments and constants that are called as the expansion's own locals.
#![deny(warnings)]

use idem::{MemoryStore, Outcome, idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event {
    id: u64,
    r#type: String,
}

#[idempotent(workflow = "names", key = (key.id, key.r#type, hash, run, tenant), lease = "30s", window = "30d", max_attempts = 5)]
#[expect(clippy::too_many_arguments, reason = "as many names as possible")]
async fn handle(
    store: &mut Tx<'_>,
    key: &Event,
    hash: u64,
    run: &str,
    tx: u64,
    guard: u64,
    codec: u64,
    tenant: u64,
) -> Result<u64, Infallible> {
    store.put(run, key.r#type.as_str());
    Ok(hash + tx + guard + codec + tenant)
}

#[idempotent(workflow = "namesake", key = (namesake.id), lease = "30s", window = "30d", max_attempts = 5)]
async fn namesake(tx: &mut Tx<'_>, namesake: &Event) -> Result<u64, Infallible> {
    tx.put("namesake", namesake.r#type.as_str());
    Ok(namesake.id)
}

async fn run() {
    let store = MemoryStore::new();
    let event = Event { id: 1, r#type: "paid".to_owned() };
    assert!(matches!(handle(&store, &event, 1, "a", 2, 3, 4, 5).await, Ok(Outcome::Fresh(_))));
    assert!(matches!(namesake(&store, &event).await, Ok(Outcome::Fresh(_))));
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run());
}
