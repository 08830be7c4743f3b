//! Arguments, key and signature of one handler, and the next handler too.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { id: u64, items: Vec<u64> }

#[idempotent(workflow = "ui", key = (event.id as u64, Uuid::new_v4(), rates), lease = "never", window = "30d", max_attempts = 5, timeout = "3s")]
async fn first(tx: &mut Tx<'_>, event: &Event) -> Result<u64, Infallible> {
    Ok(event.id)
}

#[idempotent(workflow = "ui", key = (event.items.len(), event.share), lease = "30s", window = "30d", max_attempts = 5)]
async fn second(tx: &mut Tx<'_>, event: &Share) -> Result<u64, Infallible> {
    Ok(0)
}

#[derive(serde::Serialize)]
struct Share { items: Vec<u64>, share: f64 }

fn main() {}
