//! Two mistakes in one part: a random value, joined to text.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;
use uuid::Uuid;

#[derive(serde::Serialize)]
struct Event { id: u64 }

#[idempotent(workflow = "ui", key = (event.id, format!("{}-{}", event.id, Uuid::new_v4())), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
