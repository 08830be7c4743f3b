//! In a trait's `impl` there is no place beside the method.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { id: u64, items: Vec<u64> }

trait Handles {
    async fn handle(&self, store: &idem::MemoryStore, event: &Event) -> Result<idem::Outcome<()>, idem::Error<Infallible>>;
}

struct Desk { tenant: u64 }

impl Handles for Desk {
    #[idempotent(workflow = "ui", key = (self.tenant, event.id), lease = "30s", window = "30d", max_attempts = 5)]
    async fn handle(&self, tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
        Ok(())
    }
}

fn main() {}
