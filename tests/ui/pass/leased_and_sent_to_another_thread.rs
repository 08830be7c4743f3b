//! A claim that commits first, and a future that may move between threads.
#![deny(warnings, clippy::all)]

use idem::{MemoryStore, Outcome, idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(Clone)]
struct Customer {
    id: u64,
}

#[derive(Clone)]
struct Refund {
    tenant_id: String,
    refund_id: String,
    order_id: String,
    amount: u64,
    customer: Customer,
}

#[idempotent(contract = "ui-leased", key = (event.tenant_id, event.refund_id))]
async fn refund(tx: &mut Tx<'_>, event: &Refund) -> Result<u64, Infallible> {
    tx.put("refund", event.refund_id.as_str());
    tokio::task::yield_now().await;
    Ok(event.amount)
}

#[idempotent(workflow = "moved", key = (event.refund_id), hash = (event.amount), lease = "30s", window = "30d", max_attempts = 5, mode = "leased")]
async fn moved(tx: &mut Tx<'_>, event: Refund) -> Result<u64, Infallible> {
    tx.put("refund", event.refund_id.as_str());
    tokio::task::yield_now().await;
    Ok(event.amount)
}

async fn run() {
    let store = MemoryStore::new();
    let event = Refund {
        tenant_id: "acme".to_owned(),
        refund_id: "67e55044-10b1-426f-9247-bb680e5fe0c8".to_owned(),
        order_id: "o-1".to_owned(),
        amount: 5,
        customer: Customer { id: 1 },
    };
    let (ours, theirs) = (store.clone(), event.clone());
    let first = tokio::spawn(async move { refund(&ours, &theirs).await });
    assert!(matches!(first.await, Ok(Ok(Outcome::Fresh(_)))));
    let second = tokio::spawn(async move { moved(&store, event).await });
    assert!(matches!(second.await, Ok(Ok(Outcome::Fresh(_)))));
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run());
}
