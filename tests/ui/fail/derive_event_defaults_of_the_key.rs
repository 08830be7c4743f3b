//! With a contract, the fields of key and hash are looked at.
#![allow(unused)]

use idem::Event;

/// Ids as a library makes them.
#[derive(serde::Deserialize)]
struct Uuid(String);

impl Uuid {
    fn new_v4() -> Self {
        Self(String::new())
    }
}

#[derive(serde::Deserialize)]
struct Customer { id: u64 }

fn cuid() -> String { String::new() }

fn no_tenant() -> String { String::new() }

#[derive(serde::Deserialize, Event)]
#[event(contract = "ui-refund")]
struct Refund {
    #[serde(default = "no_tenant")]
    tenant_id: String,
    #[serde(default = "Uuid::new_v4")]
    refund_id: Uuid,
    #[serde(default = "cuid")]
    order_id: String,
    amount: String,
    customer: Customer,
    #[serde(default)]
    reason: Option<String>,
}

fn main() {}
