//! The integration tests, in one binary.

mod conformance;
mod drill;
#[allow(
    unreachable_pub,
    dead_code,
    reason = "handlers are generated for a library, which exports them"
)]
mod generated;
mod limits;
mod mysql_server;
mod postgres_server;
mod provider;
mod ui;
