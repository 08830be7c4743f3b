//! Case 14: the tag counts per channel, whatever its type says.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Queue { name: String }

#[derive(serde::Serialize)]
struct Delivery { delivery_tag: u64 }

#[idempotent(workflow = "on-message", key = (queue.name, delivery.delivery_tag), lease = "30s", window = "30d", max_attempts = 5)]
async fn on_message(tx: &mut Tx<'_>, queue: &Queue, delivery: &Delivery) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
