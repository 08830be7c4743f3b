//! The key is the contract's, found among the arguments.
#![deny(warnings, clippy::all)]

use idem::{MemoryStore, Outcome, idempotent, memory::Tx};
use std::convert::Infallible;

pub struct Customer {
    id: u64,
}

pub struct Order {
    order_id: String,
    amount: i64,
    customer: Customer,
}

#[idempotent(contract = "ui-refund", payload = order)]
pub async fn refund(
    tx: &mut Tx<'_>,
    tenant_id: u64,
    refund_id: uuid::Uuid,
    order: &Order,
) -> Result<(), Infallible> {
    tx.put("refund", [tenant_id.to_string(), refund_id.to_string(), order.order_id.clone()].concat());
    Ok(())
}

async fn run() {
    let store = MemoryStore::new();
    let order = Order { order_id: "o-1".to_owned(), amount: 5, customer: Customer { id: 1 } };
    let refund_id = uuid::Uuid::from_u128(7);
    let first = refund(&store, 1, refund_id, &order).await.expect("it is booked");
    assert!(matches!(first, Outcome::Fresh(_)));
    let other_tenant = refund(&store, 2, refund_id, &order).await.expect("it is booked");
    assert!(matches!(other_tenant, Outcome::Fresh(_)));
    let again = refund(&store, 1, refund_id, &order).await.expect("it is replayed");
    assert!(again.is_replay());
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run());
}
