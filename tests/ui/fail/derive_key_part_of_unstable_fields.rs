//! The label sits on the field's type, or on its name.
#![allow(unused)]

use idem::KeyPart;

struct Money;

#[derive(KeyPart)]
struct OrderRef {
    shop: Option<String>,
    row: usize,
    total: f64,
    money: Money,
    delivery_tag: u64,
}

#[derive(KeyPart)]
struct Stamp(std::time::SystemTime);

fn main() {}
