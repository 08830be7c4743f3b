//! Case 5: a new UUID in each submit.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;
use uuid::Uuid;

#[derive(serde::Serialize)]
struct Event { account: String }

#[idempotent(workflow = "submit-sepa", key = (form.account, Uuid::new_v4()), lease = "30s", window = "30d", max_attempts = 5)]
async fn submit_sepa(tx: &mut Tx<'_>, form: &Event) -> Result<(), Infallible> {
    Ok(())
}

fn main() {}
