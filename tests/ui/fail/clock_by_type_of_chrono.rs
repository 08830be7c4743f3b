//! A date-time of chrono under an innocent name.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { id: u64, mark: String }

#[idempotent(workflow = "ui", key = (event.id, mark), hash = "none", lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event, mark: &chrono::DateTime<chrono::Utc>) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
