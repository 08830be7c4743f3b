//! The integration tests, in one binary.

mod conformance;
mod drill;
mod limits;
mod postgres_server;
