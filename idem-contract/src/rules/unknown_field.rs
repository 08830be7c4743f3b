//! # unknown-field
//!
//! A name that the format does not have.
//!
//! ## What it does
//!
//! Reports a key or table that no part of the format reads, with the nearest name that it does read,
//! or the table where the name belongs.
//!
//! ## Why it hurts
//!
//! A misspelt `lease` leaves the claim without one, and the file looks as if it had it.
//!
//! ## Bad
//!
//! ```toml
//! [cleanup]
//! every = "1m"
//! batch = 1000
//! batches = 3
//! ```
//!
//! ## Good
//!
//! ```toml
//! [cleanup]
//! every = "1m"
//! batch = 1000
//! ```
//!
//! ## Source
//!
//! The contract format, "Reading it".

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static UNKNOWN_FIELD: Rule = Rule {
    id: "unknown-field",
    group: Group::Format,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("unknown_field.rs"),
    check: Check::Elsewhere,
};
