//! An accessor that is not `const` cannot be proven.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

impl Event { fn id(&self) -> u64 { self.id } }

#[derive(serde::Serialize)]
struct Event { id: u64 }

#[idempotent(workflow = "ui", key = (event.id()), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
