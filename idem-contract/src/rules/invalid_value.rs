//! # invalid-value
//!
//! A value of the right kind that cannot be meant.
//!
//! ## What it does
//!
//! Reports times, counts and sizes of zero or without a known unit, names that are not kebab-case or
//! have more than 64 characters, two effects of one name, a previous key version that is not below
//! `version`, a tenant that is not one of the key's fields, a field that is both hashed and ignored,
//! and a table that the strategy has no use for.
//!
//! ## Why it hurts
//!
//! Such a value either does nothing or the opposite of what was meant: a window of zero remembers
//! nothing.
//!
//! ## Bad
//!
//! ```toml
//! [cleanup]
//! every = "1m"
//! batch = 0
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

pub(crate) static INVALID_VALUE: Rule = Rule {
    id: "invalid-value",
    group: Group::Format,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("invalid_value.rs"),
    check: Check::Elsewhere,
};
