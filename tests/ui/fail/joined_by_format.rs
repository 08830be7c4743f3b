//! Case 92: two texts without a mark between them.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[idempotent(workflow = "ui", key = (format!("{}{}", a, b)), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, a: &str, b: &str) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
