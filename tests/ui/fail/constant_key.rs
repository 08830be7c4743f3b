//! No part comes from the event.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;
const VERSION: u32 = 3;

#[derive(serde::Serialize)]
struct Event { id: u64 }

#[idempotent(workflow = "ui", key = ("always", VERSION), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
