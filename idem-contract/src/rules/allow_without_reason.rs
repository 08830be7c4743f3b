//! # allow-without-reason
//!
//! A finding silenced without saying why.
//!
//! ## What it does
//!
//! Reports an `[[allow]]` without a `reason`, or with a blank one. It silences nothing.
//!
//! ## Why it hurts
//!
//! Nobody who reads it later can tell a decision from an oversight, and nobody dares to remove it.
//!
//! ## Bad
//!
//! ```toml
//! [[allow]]
//! rule = "missing-lease"
//! ```
//!
//! ## Good
//!
//! ```toml
//! # without claim.lease
//! [[allow]]
//! rule = "missing-lease"
//! reason = "The lease is set by the platform for all workflows."
//! ```
//!
//! ## Source
//!
//! The contract format, "Shape".

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static ALLOW_WITHOUT_REASON: Rule = Rule {
    id: "allow-without-reason",
    group: Group::Format,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Rust],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("allow_without_reason.rs"),
    check: Check::Elsewhere,
};
