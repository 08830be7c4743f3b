//! Values that are not what they should be.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { id: u64, items: Vec<u64> }

#[idempotent(workflow = "Refund Order", key = (event.id), hash = "all", lease = 30, window = "30", max_attempts = 0, mode = "fast", response_version = "2", payload = 3, crate = "idem")]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
