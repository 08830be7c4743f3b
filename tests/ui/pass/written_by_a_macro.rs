//! A handler that a `macro_rules!` writes.
#![deny(warnings, clippy::all)]

use idem::{MemoryStore, Outcome, idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize)]
struct Event {
    id: u64,
}

macro_rules! handlers {
    ($($name:ident by $field:ident in $workflow:literal),*) => {$(
        #[idempotent(workflow = $workflow, key = (event.$field), lease = "30s", window = "30d", max_attempts = 5)]
        async fn $name(tx: &mut Tx<'_>, event: &Event) -> Result<u64, Infallible> {
            tx.put(stringify!($name), event.$field.to_string());
            Ok(event.$field)
        }
    )*};
}

handlers!(first by id in "first", second by id in "second");

async fn run() {
    let store = MemoryStore::new();
    assert!(matches!(first(&store, &Event { id: 1 }).await, Ok(Outcome::Fresh(_))));
    assert!(matches!(second(&store, &Event { id: 1 }).await, Ok(Outcome::Fresh(_))));
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run());
}
