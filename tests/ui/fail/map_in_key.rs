//! Case 109: a map has no order.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { id: u64, tags: std::collections::HashMap<String, String> }

#[idempotent(workflow = "ui", key = (order.id, order.tags), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, order: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
