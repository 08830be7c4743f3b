//! A part that is no payload field, and a near miss.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

struct Customer { id: u64 }

struct Refund {
    tenant_id: String,
    refundid: String,
    order_id: String,
    amount: String,
    customer: Customer,
    reason: Option<String>,
}

#[idempotent(contract = "ui-refund", key = (event.tenant_id, event.refundid))]
async fn refund(tx: &mut Tx<'_>, event: &Refund) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
