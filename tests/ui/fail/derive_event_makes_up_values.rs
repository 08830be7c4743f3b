//! A value born on our side, each time anew.
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

mod clock {
    pub fn now() -> u64 {
        7
    }
}

#[derive(serde::Deserialize, Event)]
struct Payment {
    #[serde(default = "Uuid::new_v4")]
    payment_id: Uuid,
    #[serde(default = "clock::now")]
    received: u64,
    #[serde(default)]
    note: String,
}

fn main() {}
