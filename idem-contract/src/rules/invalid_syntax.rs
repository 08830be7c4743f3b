//! # invalid-syntax
//!
//! A line that TOML does not accept.
//!
//! ## What it does
//!
//! Reports what is not TOML 1.1: missing quotes, brackets and commas, names written twice, dates that
//! no calendar has. One finding for each broken statement; the statements around it are still read.
//!
//! ## Why it hurts
//!
//! Nothing behind such a mistake is certain, so nothing of the statement is believed.
//!
//! ## Bad
//!
//! ```toml
//! owner = team-payments
//! ```
//!
//! ## Good
//!
//! ```toml
//! owner = "team-payments"
//! ```
//!
//! ## Source
//!
//! <https://toml.io/en/v1.1.0>

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static INVALID_SYNTAX: Rule = Rule {
    id: "invalid-syntax",
    group: Group::Format,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("invalid_syntax.rs"),
    check: Check::Elsewhere,
};
