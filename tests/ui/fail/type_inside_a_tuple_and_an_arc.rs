//! Wrappers do not hide the culprit.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { id: u64 }

#[idempotent(workflow = "ui", key = (event.id, pair, shared), hash = "none", lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event, pair: (u64, f64), shared: std::sync::Arc<usize>) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
