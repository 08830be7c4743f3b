//! The same by other means.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { a: String, b: String }

#[idempotent(workflow = "ui", key = (event.a.clone() + &event.b, [event.a.as_str(), event.b.as_str()].concat()), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
