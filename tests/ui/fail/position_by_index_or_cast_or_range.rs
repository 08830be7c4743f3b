//! An item by its place, a cast, a piece of a text.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { id: String, items: Vec<u64>, amount: u32 }

#[idempotent(workflow = "ui", key = (event.items[0], event.amount as u64, event.id[..12]), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
