//! A path passed as a function counts.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;
mod clock { pub fn now() -> u64 { 7 } }

#[derive(serde::Serialize)]
struct Event { id: u64, at: Option<u64> }

#[idempotent(workflow = "ui", key = (event.id, event.at.unwrap_or_else(clock::now)), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
