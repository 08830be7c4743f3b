//! What a helper does is seen by the purity proof.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

fn bucket(_: &Event) -> u64 {
    std::time::UNIX_EPOCH.elapsed().map_or(0, |at| at.as_secs() / 60)
}

#[derive(serde::Serialize)]
struct Event { id: u64 }

#[idempotent(workflow = "ui", key = (event.id, bucket(event)), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
