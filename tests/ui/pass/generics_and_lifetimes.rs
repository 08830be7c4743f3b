//! Type, constant and lifetime parameters, bounds, `impl Trait`.
#![deny(warnings, clippy::all)]

use idem::{MemoryStore, idempotent, memory::Tx};
use std::convert::Infallible;

use serde::Serialize;
use serde::de::DeserializeOwned;

struct Envelope<T, const N: usize> {
    id: [u8; N],
    body: T,
}

trait Rate: Sync {
    fn rate(&self) -> u64;
}

impl Rate for u64 {
    fn rate(&self) -> u64 {
        *self
    }
}

#[idempotent(workflow = "publish", key = (event.id), hash = (event.body), lease = "30s", window = "30d", max_attempts = 5)]
async fn publish<'e, T, const N: usize>(
    tx: &mut Tx<'_>,
    event: &'e Envelope<T, N>,
    rate: &'e impl Rate,
) -> Result<(T, u64), Infallible>
where
    T: Clone + Serialize + DeserializeOwned + Sync,
{
    tx.put("published", event.id);
    Ok((event.body.clone(), rate.rate()))
}

async fn run() {
    let store = MemoryStore::new();
    let event = Envelope { id: [1, 2, 3, 4], body: "text".to_owned() };
    let first = publish(&store, &event, &7_u64).await.expect("it is published");
    assert_eq!(first.into_value(), Some(("text".to_owned(), 7)));
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run());
}
