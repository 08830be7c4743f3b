//! The attribute stands on a declaration.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { id: u64, items: Vec<u64> }

trait Handles {
    #[idempotent(workflow = "ui", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
    async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible>;
}

fn main() {}
