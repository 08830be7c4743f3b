//! Case 6: a fresh ULID where the caller gave no key.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { id: u64 }

#[idempotent(workflow = "create-order", key = (cart.id, key.unwrap_or_else(|| Ulid::new().to_string())), lease = "30s", window = "30d", max_attempts = 5)]
async fn create_order(tx: &mut Tx<'_>, cart: &Event, key: Option<String>) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
