//! The `idem` binary, run as a user runs it.

mod configuration;
mod discovery;
#[cfg(feature = "ops")]
mod drill;
mod expand;
mod findings;
mod fix;
mod formats;
mod generate_rust;
mod help;
mod init;
mod lock;
mod new;
mod ops;
#[cfg(feature = "ops")]
mod readme;
mod sandbox;
mod status;
#[cfg(feature = "ops")]
mod store;
