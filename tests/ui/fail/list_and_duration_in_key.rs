//! A list and a length of time.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { id: u64, body: Vec<u8>, took: std::time::Duration }

#[idempotent(workflow = "ui", key = (event.id, event.body, event.took), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
