//! Case 11: the index of an item in its batch.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Item { id: u64 }

async fn import(store: &idem::MemoryStore, batch_id: u64, items: &[Item]) {
    for (i, item) in items.iter().enumerate() {
        let _ = save(store, batch_id, item, i).await;
    }
}

#[idempotent(workflow = "save-item", key = (batch_id, i), lease = "30s", window = "30d", max_attempts = 5)]
async fn save(tx: &mut Tx<'_>, batch_id: u64, item: &Item, i: usize) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
