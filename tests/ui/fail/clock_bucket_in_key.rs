//! Case 2: the minute, so that a customer can subscribe again.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;
use chrono::{Timelike, Utc};

#[derive(serde::Serialize)]
struct User { id: u64 }

#[derive(serde::Serialize)]
struct Plan { id: u64 }

#[idempotent(workflow = "subscribe", key = (user.id, plan.id, Utc::now().minute()), lease = "30s", window = "30d", max_attempts = 5)]
async fn subscribe(tx: &mut Tx<'_>, user: &User, plan: &Plan) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
