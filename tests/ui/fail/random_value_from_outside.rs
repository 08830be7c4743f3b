//! Case 8: a random value under an opaque name is no argument.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { discussion_id: u64 }

#[idempotent(workflow = "apply-turn", key = (k), lease = "30s", window = "30d", max_attempts = 5)]
async fn apply(tx: &mut Tx<'_>, turn: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
