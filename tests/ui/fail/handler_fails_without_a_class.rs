//! An error that does not say what it means.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

struct Declined;

#[derive(serde::Serialize)]
struct Event { id: u64, items: Vec<u64> }

#[idempotent(workflow = "ui", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Declined> {
    Ok(())
}

fn main() {}
