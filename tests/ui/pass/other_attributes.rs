//! Documentation, conditions, lints and other attribute macros keep their place.
#![deny(warnings, missing_docs)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

/// An event.
#[derive(Debug, serde::Serialize)]
pub struct Event {
    /// Its id.
    pub id: u64,
}

/// A desk.
#[derive(Debug)]
pub struct Desk;

/// Below: the span is the handler's, and names its arguments.
#[idempotent(workflow = "below", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
#[tracing::instrument(skip(tx), fields(id = event.id))]
pub async fn below(tx: &mut Tx<'_>, event: &Event) -> Result<u64, Infallible> {
    tx.put("event", event.id.to_string());
    Ok(event.id)
}

/// Above: expanded first.
#[tracing::instrument(skip(tx))]
#[idempotent(workflow = "above", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
pub async fn above(tx: &mut Tx<'_>, event: &Event) -> Result<u64, Infallible> {
    tx.put("event", event.id.to_string());
    Ok(event.id)
}

impl Desk {
    /// Not there at all.
    #[idempotent(workflow = "gone", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
    #[cfg(any())]
    pub async fn gone(&self, tx: &mut Tx<'_>, event: &Event) -> Result<u64, Infallible> {
        Ok(event.id)
    }

    /// A lint is expected of the handler.
    #[idempotent(workflow = "method", key = (event.id), lease = "30s", window = "30d", max_attempts = 5)]
    #[tracing::instrument(skip_all)]
    #[expect(unused_variables, reason = "the transaction is not used")]
    pub async fn method(&self, tx: &mut Tx<'_>, event: &Event) -> Result<u64, Infallible> {
        Ok(event.id)
    }
}

fn main() {
    let _ = (below, above, Desk::method);
}
