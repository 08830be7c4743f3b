//! What the parser promises: it accepts the format and nothing else, says what it does not accept,
//! and never panics.

mod agrees_with_toml;
mod checks;
mod never_panics;
mod reports;

/// The contract of the format's own description, with every setting.
const REFERENCE: &str = include_str!("tests/reference.toml");
