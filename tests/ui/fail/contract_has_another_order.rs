//! The parts stand in the contract's order.
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

#[idempotent(contract = "ui-refund", key = (event.refund_id, event.tenant_id))]
async fn refund(tx: &mut Tx<'_>, event: &Refund) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
