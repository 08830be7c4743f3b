//! Case 103: an amount as a float.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { id: u64, amount: f64 }

#[idempotent(workflow = "pay", key = (order.id, order.amount), lease = "30s", window = "30d", max_attempts = 5)]
async fn pay(tx: &mut Tx<'_>, order: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
