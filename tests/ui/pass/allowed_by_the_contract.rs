//! A finding that `[[allow]]` silences with a reason, by the contract's type and by a name.
#![deny(warnings, clippy::all)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

struct Booking {
    tenant_id: String,
    room: String,
    slot_start: String,
    amount: u64,
}

#[idempotent(contract = "ui-booking", key = (event.tenant_id, event.room, event.slot_start))]
async fn book(tx: &mut Tx<'_>, event: &Booking) -> Result<(), Infallible> {
    tx.put("room", event.room.as_str());
    Ok(())
}

struct Customer {
    id: u64,
}

struct Parcel {
    tenant_id: String,
    refund_id: u64,
    delivery_tag: u64,
    order_id: String,
    amount: u64,
    customer: Customer,
}

#[idempotent(contract = "ui-delivery", key = (event.tenant_id, event.refund_id, event.delivery_tag))]
async fn deliver(tx: &mut Tx<'_>, event: &Parcel) -> Result<(), Infallible> {
    tx.put("tag", event.delivery_tag.to_string());
    Ok(())
}

fn main() {
    let _ = (book, deliver);
}
