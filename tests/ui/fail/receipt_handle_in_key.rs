//! Case 19: the handle is new on every receive, and its absence becomes an empty text.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { receipt_handle: Option<String> }

#[idempotent(workflow = "ui", key = (msg.receipt_handle.as_deref().unwrap_or("")), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, msg: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
