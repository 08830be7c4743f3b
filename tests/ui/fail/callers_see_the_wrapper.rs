//! A refused key is no mistake of the callers.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { id: u64, items: Vec<u64> }

#[idempotent(workflow = "ui", key = (event.id, event.items[0]), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<u64, Infallible> {
    Ok(event.id)
}

async fn caller(store: &idem::MemoryStore, event: &Event) -> Option<u64> {
    handle(store, event).await.ok()?.into_value()
}

fn main() {}
