//! A type that nobody vouches for.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Money { cents: i64 }

#[derive(serde::Serialize)]
struct Event { id: u64, money: Money }

#[idempotent(workflow = "ui", key = (event.id, event.money), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
