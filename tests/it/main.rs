//! The integration tests, in one binary.

mod conformance;
mod drill;
mod postgres_server;
