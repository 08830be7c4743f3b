//! The service as its callers meet it: real processes, real HTTP, real kills.

mod client;
mod database;
mod refund_order_drill;
mod service;
mod webhooks;
