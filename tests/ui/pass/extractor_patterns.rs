//! Arguments that are taken apart, and `mut`.
#![deny(warnings, clippy::all)]

use idem::{MemoryStore, idempotent, memory::Tx};
use std::convert::Infallible;

#[derive(serde::Serialize, Clone)]
struct Order {
    order_id: u64,
    lines: Vec<u64>,
}

struct Json<T>(T);

struct Tenant {
    id: u64,
    name: String,
}

#[idempotent(workflow = "place-order", key = (id, twice(id), order.order_id), hash = (order.lines), lease = "30s", window = "30d", max_attempts = 5)]
async fn place(
    tx: &mut Tx<'_>,
    Tenant { id, name }: Tenant,
    Json(mut order): Json<Order>,
    _trace: &str,
) -> Result<usize, Infallible> {
    order.lines.push(id);
    tx.put(&name, id.to_string());
    Ok(order.lines.len())
}

const fn twice(id: u64) -> u64 {
    id * 2
}

async fn run() {
    let store = MemoryStore::new();
    let order = Order { order_id: 3, lines: vec![1] };
    for replayed in [false, true] {
        let tenant = Tenant { id: 1, name: "acme".to_owned() };
        let answer = place(&store, tenant, Json(order.clone()), "t").await.expect("it is placed");
        assert_eq!(answer.is_replay(), replayed);
        assert_eq!(answer.into_value(), Some(2));
    }
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run());
}
