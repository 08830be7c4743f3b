//! # expired-allow
//!
//! A silence past its date.
//!
//! ## What it does
//!
//! Reports an `[[allow]]` whose `until` is over (it holds through that day, UTC). It silences nothing
//! any more.
//!
//! ## Why it hurts
//!
//! A date is a promise to mend something by then. A silence that outlives it hides what was promised.
//!
//! ## Bad
//!
//! ```toml
//! [[allow]]
//! rule = "missing-lease"
//! reason = "Moved to the platform in summer."
//! until = 2020-06-30
//! ```
//!
//! ## Good
//!
//! ```toml
//! # without claim.lease
//! [[allow]]
//! rule = "missing-lease"
//! reason = "Moved to the platform in summer."
//! until = 9999-06-30
//! ```
//!
//! ## Source
//!
//! The contract format, "Shape".

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static EXPIRED_ALLOW: Rule = Rule {
    id: "expired-allow",
    group: Group::Format,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Rust],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("expired_allow.rs"),
    check: Check::Elsewhere,
};
