//! Something that is no argument at all.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { id: u64, items: Vec<u64> }

#[idempotent("ui", key = event., contract)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
