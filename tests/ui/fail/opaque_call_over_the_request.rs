//! Case 68: a digest of the whole request, volatile fields included.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { checkout_id: String, created_at: String }

#[idempotent(workflow = "make-payment", key = (sha256(serde_json::to_vec(&req)?)), lease = "30s", window = "30d", max_attempts = 5)]
async fn make_payment(tx: &mut Tx<'_>, req: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
