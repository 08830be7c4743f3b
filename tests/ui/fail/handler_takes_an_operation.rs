//! The operation form is not there yet.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { id: u64, items: Vec<u64> }

#[idempotent(workflow = "ui", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(op: &mut idem::Operation<'_, Tx<'_>>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
