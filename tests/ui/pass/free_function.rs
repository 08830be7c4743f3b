//! A handler, called twice: one effect, and the first answer again.
#![deny(warnings, clippy::all)]

use idem::{MemoryStore, Outcome, idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq)]
pub struct Receipt {
    refund_id: String,
    cents: u64,
}

pub struct Customer {
    pub id: u64,
}

pub struct Refund {
    pub tenant_id: String,
    pub refund_id: String,
    pub order_id: String,
    pub amount: String,
    pub customer: Customer,
    pub reason: Option<String>,
}

/// Books a refund.
#[idempotent(contract = "ui-refund", key = (event.tenant_id, event.refund_id))]
pub async fn refund(tx: &mut Tx<'_>, event: &Refund) -> Result<Receipt, Infallible> {
    tx.put(&event.refund_id, event.amount.as_str());
    Ok(Receipt { refund_id: event.refund_id.clone(), cents: 1250 })
}

async fn run() {
    let store = MemoryStore::new();
    let mut event = Refund {
        tenant_id: "acme".into(),
        refund_id: "67e55044-10b1-426f-9247-bb680e5fe0c8".into(),
        order_id: "o-1".into(),
        amount: "12.50".into(),
        customer: Customer { id: 7 },
        reason: Some("broken".into()),
    };
    let first = refund(&store, &event).await.expect("it is booked");
    assert!(matches!(first, Outcome::Fresh(_)), "{first:?}");

    // The ignored reason may change, and the id and the amount may be written otherwise.
    event.reason = None;
    event.amount = "12.5".into();
    event.refund_id = event.refund_id.to_uppercase();
    let second = refund(&store, &event).await.expect("it is replayed");
    assert!(second.is_replay(), "{second:?}");
    let receipt = second.into_value().expect("a replay has the first value");
    assert_eq!(receipt.refund_id, "67e55044-10b1-426f-9247-bb680e5fe0c8");
    assert_eq!(receipt.cents, 1250);

    event.amount = "13".into();
    let other = refund(&store, &event).await.expect("it is an answer");
    assert_eq!(other, Outcome::Mismatch { fields: vec!["amount".to_owned()] });
    assert_eq!(store.values(), 1);
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run());
}
