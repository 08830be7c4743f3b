//! Case 8: a number that the source assigns, declared as such. Case 24: a field that looks like a time is only warned about.
#![deny(warnings, clippy::all)]

use idem::{MemoryStore, Outcome, idempotent, memory::Tx};
use std::convert::Infallible;

struct Turn {
    tenant_id: String,
    discussion_id: u64,
    ordinal: u64,
    amount: u64,
}

#[idempotent(contract = "ui-discussion", key = (turn.tenant_id, turn.discussion_id, turn.ordinal))]
async fn apply(tx: &mut Tx<'_>, turn: &Turn) -> Result<(), Infallible> {
    tx.put("turn", turn.ordinal.to_string());
    Ok(())
}

#[derive(serde::Serialize)]
struct Subscription {
    id: u64,
    expired_at_epoch: i64,
}

#[idempotent(workflow = "revive", key = (sub.id, sub.expired_at_epoch), hash = (sub.id), lease = "30s", window = "30d", max_attempts = 5)]
async fn revive(tx: &mut Tx<'_>, sub: &Subscription, session_expires_at: i64) -> Result<i64, Infallible> {
    tx.put("sub", sub.id.to_string());
    Ok(session_expires_at)
}

async fn run() {
    let store = MemoryStore::new();
    let turn = Turn { tenant_id: "acme".to_owned(), discussion_id: 1, ordinal: 2, amount: 3 };
    assert!(matches!(apply(&store, &turn).await, Ok(Outcome::Fresh(_))));
    let sub = Subscription { id: 1, expired_at_epoch: 5 };
    assert!(matches!(revive(&store, &sub, 10).await, Ok(Outcome::Fresh(_))));
    // The session's expiry moves with each attempt, and is no part of the request.
    assert!(matches!(revive(&store, &sub, 20).await, Ok(Outcome::Replay(_))));
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run());
}
