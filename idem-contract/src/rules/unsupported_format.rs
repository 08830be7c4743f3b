//! # unsupported-format
//!
//! A contract of a format version that this release does not read.
//!
//! ## What it does
//!
//! Reports `contract` with another version than 1, and reads nothing else of the file.
//!
//! ## Why it hurts
//!
//! Another version may give the same words another meaning.
//!
//! ## Bad
//!
//! ```toml
//! contract = 2
//! workflow = "refund-order"
//! ```
//!
//! ## Good
//!
//! ```text
//! contract = 1
//! ```
//!
//! ## Source
//!
//! The contract format, version 1.

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static UNSUPPORTED_FORMAT: Rule = Rule {
    id: "unsupported-format",
    group: Group::Format,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("unsupported_format.rs"),
    check: Check::Elsewhere,
};
