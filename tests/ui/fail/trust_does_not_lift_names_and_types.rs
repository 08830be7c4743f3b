//! What `trust` lifts is the form and the proof.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { id: u64, share: f64 }

#[idempotent(workflow = "ui", key = (event.id, trust(Utc::now().minute(), reason = "the plan changes by the minute"), trust(event.share, reason = "always a half")), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
