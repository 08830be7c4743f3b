//! Case 107: the hasher of the standard library is seeded per process.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;
use std::hash::Hasher;

#[derive(serde::Serialize)]
struct Event { id: u64 }

#[idempotent(workflow = "ui", key = (hashed.finish()), hash = "none", lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, order: &Event, hashed: &std::hash::DefaultHasher) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
