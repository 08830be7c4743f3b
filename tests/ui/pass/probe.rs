//! A probe is asked before a person is, by a function that the contract names.

use idem::memory::Operation;
use idem::{MemoryStore, Outcome, Probe, Probed, idempotent};
use std::time::Duration;

struct Customer {
    id: u64,
}

struct Refund {
    tenant_id: String,
    refund_id: String,
    order_id: String,
    amount: String,
    customer: Customer,
}

#[derive(Debug, idem::Failure)]
enum RefundError {
    #[failure(unknown)]
    NoAnswer,
}

mod desk {
    use super::*;

    pub async fn warehouse_was_called(probe: &Probe, event: &Refund, attempts: &u32) -> Probed<u64> {
        assert_eq!((probe.effect(), *attempts), ("warehouse-call", 3));
        match event.customer.id {
            7 => Probed::Happened(42),
            _ => Probed::CannotTell,
        }
    }
}

async fn done() -> Result<u64, RefundError> {
    Ok(1)
}

#[idempotent(contract = "ui-probe", key = (event.tenant_id, event.refund_id), probe = desk::warehouse_was_called)]
async fn refund(op: &mut Operation<'_>, event: &Refund, attempts: u32) -> Result<u64, RefundError> {
    let _: u64 = op.step("provider-refund", |_| done()).await?;
    let call = op
        .remote("warehouse-call", || async { Err::<u64, _>(RefundError::NoAnswer) })
        .await?;
    let _: u64 = op.irreversible("receipt-mail", done).await?;
    Ok(call + u64::from(attempts))
}

fn event(refund_id: &str, customer: u64) -> Refund {
    Refund {
        tenant_id: "acme".to_owned(),
        refund_id: refund_id.to_owned(),
        order_id: "o-1".to_owned(),
        amount: "12.50".to_owned(),
        customer: Customer { id: customer },
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let store = MemoryStore::new();
    let known = event("0190b2f5-6f10-7cc2-9e43-0d8b1f2a6a01", 7);
    let told = refund(&store, &known, 3).await;
    assert!(matches!(told, Err(idem::Error::Unanswered { effect: "warehouse-call" })), "{told:?}");
    let told = refund(&store, &known, 3).await;
    assert!(matches!(&told, Ok(Outcome::Fresh(answer)) if answer.value == 45), "{told:?}");

    let unknown = event("0190b2f5-6f10-7cc2-9e43-0d8b1f2a6a02", 8);
    let told = refund(&store, &unknown, 3).await;
    assert!(matches!(told, Err(idem::Error::Unknown(RefundError::NoAnswer))), "{told:?}");
    store.advance(Duration::from_secs(600));
    let told = refund(&store, &unknown, 3).await;
    assert!(matches!(told, Ok(Outcome::Ambiguous { .. })), "{told:?}");
}
