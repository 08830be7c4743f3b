//! A default for a part that is absent.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { tenant_id: u64, region: Option<String> }

#[idempotent(workflow = "ui", key = (event.tenant_id, event.region.unwrap_or_default()), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
