//! Every form that is refused for its form, all at once.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event { id: u64, kind: u8, flag: bool, items: Vec<u64> }

#[idempotent(workflow = "ui", key = (
    event.id,
    if event.flag { 1 } else { 2 },
    match event.kind { 0 => 1, _ => 2 },
    { event.id },
    loop { break 1 },
    for _ in 0..3 {},
    async { 1 },
    |event: &Event| event.id,
    *event.id,
    !event.flag,
    event.id * 2,
    (event.id, event.kind),
    [event.id],
    0..event.id,
    &mut event.id,
    vec![event.id],
    Event { id: 1, kind: 2, flag: true, items: Vec::new() },
    event.id = 1,
    const { 1 },
    handle(event).await,
    event.items.first()?,
), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut Tx<'_>, event: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
