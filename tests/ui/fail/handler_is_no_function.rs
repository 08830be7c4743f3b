//! The attribute stands on a type.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

#[idempotent(workflow = "ui", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
struct Handler;

fn main() {}
