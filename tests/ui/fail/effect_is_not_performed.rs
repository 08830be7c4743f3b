//! Every declared effect is performed.
#![allow(unused)]

use idem::{idempotent, memory::Operation};
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

async fn provider(key: &str) -> Result<u64, Infallible> {
    Ok(key.len() as u64)
}

async fn other() -> Result<u64, Infallible> {
    Ok(1)
}

#[idempotent(contract = "ui-systems", key = (event.tenant_id, event.refund_id))]
async fn refund(op: &mut Operation<'_>, event: &Refund) -> Result<u64, Infallible> {
    let refund = op.step("provider-refund", |key| provider(key)).await?;
    Ok(refund)
}

fn main() {}
