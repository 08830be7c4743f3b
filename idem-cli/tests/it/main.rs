//! The `idem` binary, run as a user runs it.

mod configuration;
mod discovery;
mod drill;
mod findings;
mod formats;
mod help;
mod lock;
mod new;
mod sandbox;
mod status;
