//! Two arguments, and no word about which one is the payload.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

struct Customer { id: u64 }

struct Refund {
    tenant_id: String,
    refund_id: String,
    order_id: String,
    amount: String,
    customer: Customer,
    reason: Option<String>,
}

#[idempotent(contract = "ui-refund")]
async fn refund(tx: &mut Tx<'_>, tenant_id: String, refund: &Refund, context: &Customer) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
