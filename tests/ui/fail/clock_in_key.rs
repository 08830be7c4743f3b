//! Case 1: the millisecond in a payment key.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(serde::Serialize)]
struct Event { sender: String, recipient: String }

#[idempotent(workflow = "send-payment", key = (cmd.sender, cmd.recipient, SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis()), lease = "30s", window = "30d", max_attempts = 5)]
async fn send_payment(tx: &mut Tx<'_>, cmd: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
