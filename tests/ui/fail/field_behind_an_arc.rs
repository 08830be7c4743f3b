//! What is behind an `Arc` field can only be reached by a call that is not `const`.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;
use std::sync::Arc;

struct Event { order: Arc<Order> }
struct Order { id: u64 }

#[idempotent(workflow = "ui", key = (event.order.id), hash = "none", lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
