//! Names and types of payload and contract.
#![allow(unused)]

use idem::Event;

#[derive(serde::Deserialize, Event)]
#[event(contract = "ui-refund")]
#[serde(default)]
struct Refund {
    tenant_id: u64,
    refundid: String,
    order_id: Option<String>,
    amount: f64,
    reason: bool,
}

impl Default for Refund {
    fn default() -> Self { unimplemented!() }
}

#[derive(Event)]
#[event(contarct = "ui-refund")]
struct Other;

fn main() {}
