//! Effects outside are declared in a contract.
#![allow(unused)]

use idem::{idempotent, memory::Operation};
use std::convert::Infallible;

struct Event { id: String }

#[idempotent(workflow = "mail", key = (event.id), hash = "none", lease = "30s", window = "7d", max_attempts = 3)]
async fn mail(op: &mut Operation<'_>, event: &Event) -> Result<u64, Infallible> {
    op.irreversible("receipt-mail", async || Ok::<_, Infallible>(1)).await
}

fn main() {}
