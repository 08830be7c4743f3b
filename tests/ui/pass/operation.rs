//! Handlers with effects outside the database: every call, every place that a handler can stand in.

use idem::memory::{Operation, Tx};
use idem::{MemoryStore, Outcome, idempotent};
use std::sync::atomic::{AtomicU32, Ordering};

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
    #[failure(no_effect)]
    ProviderIsDown,
    #[failure(unknown)]
    NoAnswer,
}

static MAILS: AtomicU32 = AtomicU32::new(0);

struct Provider {
    down: bool,
}

impl Provider {
    async fn refund(&self, key: &str, amount: &str) -> Result<String, RefundError> {
        if self.down {
            return Err(RefundError::ProviderIsDown);
        }
        Ok(format!("{amount} under {key}"))
    }
}

async fn mail(to: u64) -> Result<u32, RefundError> {
    if to == 0 {
        return Err(RefundError::NoAnswer);
    }
    Ok(MAILS.fetch_add(1, Ordering::SeqCst))
}

#[idempotent(contract = "ui-systems", key = (event.tenant_id, event.refund_id))]
pub async fn refund(
    op: &mut Operation<'_>,
    event: &Refund,
    provider: &Provider,
) -> Result<String, RefundError> {
    let refund = op
        .step("provider-refund", |key| provider.refund(key, &event.amount))
        .await?;
    op.remote("warehouse-call", || mail(event.customer.id)).await?;
    let mailed = op
        .irreversible("receipt-mail", async || mail(event.customer.id).await)
        .await?;
    op.tx().put(&event.order_id, refund.as_str());
    Ok(format!("{refund}, mail {mailed}, attempt {}", op.attempt()))
}

struct Desk {
    provider: Provider,
}

impl Desk {
    #[idempotent(contract = "ui-systems", key = (event.tenant_id, event.refund_id))]
    pub async fn refund(
        &self,
        op: &mut idem::Operation<'_, Tx<'_>>,
        event: &Refund,
    ) -> Result<String, RefundError> {
        let refund = op
            .step("provider-refund", |key| {
                self.provider.refund(key, &event.amount)
            })
            .await?;
        op.remote("warehouse-call", || Self::call(event)).await?;
        op.irreversible("receipt-mail", || Self::call(event)).await?;
        op.tx().put("refund", "written");
        Ok(refund)
    }

    #[idempotent(contract = "ui-systems", key = (event.tenant_id, event.refund_id))]
    async fn by_value(
        &self,
        op: &mut Operation<'_>,
        event: Refund,
    ) -> Result<String, RefundError> {
        let refund = op
            .step::<String, _, _, _>("provider-refund", |key| {
                self.provider.refund(key, &event.amount)
            })
            .await?;
        op.remote("warehouse-call", || Self::call(&event)).await?;
        op.irreversible("receipt-mail", move || async move { Self::call(&event).await })
            .await?;
        Ok(refund)
    }

    async fn call(event: &Refund) -> Result<u32, RefundError> {
        mail(event.customer.id).await
    }
}

fn event(refund_id: &str) -> Refund {
    Refund {
        tenant_id: "acme".to_owned(),
        refund_id: refund_id.to_owned(),
        order_id: "o-1".to_owned(),
        amount: "12.50".to_owned(),
        customer: Customer { id: 7 },
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let store = MemoryStore::new();
    let (first, other) = (
        event("0190b2f5-6f10-7cc2-9e43-0d8b1f2a6a01"),
        event("0190b2f5-6f10-7cc2-9e43-0d8b1f2a6a02"),
    );
    let down = Provider { down: true };
    assert!(refund(&store, &first, &down).await.is_err());
    let up = Provider { down: false };
    // The future can be sent to another thread.
    let handed_over = {
        let (store, first) = (store.clone(), event("0190b2f5-6f10-7cc2-9e43-0d8b1f2a6a01"));
        tokio::spawn(async move { refund(&store, &first, &Provider { down: false }).await })
    };
    let told = handed_over.await.expect("it ends");
    let Ok(Outcome::Fresh(answer)) = told else {
        panic!("{told:?}");
    };
    assert!(answer.value.ends_with("mail 1, attempt 2"), "{}", answer.value);
    let told = refund(&store, &first, &up).await;
    assert!(matches!(told, Ok(Outcome::Replay(_))), "{told:?}");
    assert_eq!(MAILS.load(Ordering::SeqCst), 2);

    let desk = Desk { provider: up };
    let told = desk.refund(&store, &other).await;
    assert!(matches!(told, Ok(Outcome::Fresh(_))), "{told:?}");
    let told = desk.by_value(&store, other).await;
    assert!(matches!(told, Ok(Outcome::Replay(_))), "{told:?}");
}
