//! A clock under another name is a clock.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;
use chrono::Utc as Moment;

#[derive(serde::Serialize)]
struct Event { id: u64 }

#[idempotent(workflow = "ui", key = (event.id, Moment::now().timestamp()), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
