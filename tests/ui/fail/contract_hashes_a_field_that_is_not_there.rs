//! The struct lacks a field of the request hash.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

struct Customer { id: u64 }

struct Refund {
    tenant_id: String,
    refund_id: String,
    order_id: String,
    customer: Customer,
    reason: Option<String>,
}

#[idempotent(contract = "ui-refund", key = (event.tenant_id, event.refund_id))]
async fn refund(tx: &mut Tx<'_>, event: &Refund) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
