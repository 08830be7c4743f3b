//! A slip in a probe's name.
#![allow(unused)]

use idem::{Probe, Probed, idempotent, memory::Operation};
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

async fn warehouse_was_called(probe: &Probe, event: &Refund) -> Probed<u64> {
    Probed::CannotTell
}

async fn mail_was_sent(probe: &Probe, event: &Refund) -> Probed {
    Probed::CannotTell
}

#[idempotent(contract = "ui-probe", key = (event.tenant_id, event.refund_id), probe = warehouse_was_caled)]
async fn refund(op: &mut Operation<'_>, event: &Refund) -> Result<u64, Infallible> {
    let refund = op.step("provider-refund", |key| provider(key)).await?;
    op.remote("warehouse-call", other).await?;
    op.irreversible("receipt-mail", other).await
}

fn main() {}
