//! What `idem generate` writes, as it was written: it compiles, its drill passes, and without the
//! claim the same drill fails. That these files are what is generated today is a test of
//! `idem-codegen`.

mod credit_loyalty_points;
mod import_order;
mod on_postgres;
mod post_ledger_batch;
mod record_meter_reading;
mod refund_order;
mod refund_order_drill;
mod transfer_funds;
mod transfer_funds_drill;
mod unclaimed;
