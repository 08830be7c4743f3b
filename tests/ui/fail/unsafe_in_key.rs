//! `unsafe` can reach what no check sees.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;
static mut COUNTER: u64 = 0;

#[derive(serde::Serialize)]
struct Event { id: u64 }

#[idempotent(workflow = "ui", key = (event.id, unsafe { COUNTER }), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
