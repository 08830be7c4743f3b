//! # unused-allow
//!
//! A silence that silences nothing.
//!
//! ## What it does
//!
//! Reports an `[[allow]]` whose rule was asked and found nothing it could silence. A rule that was not
//! asked here (it looks at Rust, at SQL or at the lockfile) is not unused.
//!
//! ## Why it hurts
//!
//! It will hide the next real finding of that rule without anybody having decided so.
//!
//! ## Bad
//!
//! ```toml
//! [[allow]]
//! rule = "missing-lease"
//! reason = "The lease is set by the platform for all workflows."
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

pub(crate) static UNUSED_ALLOW: Rule = Rule {
    id: "unused-allow",
    group: Group::Format,
    severity: Severity::Warn,
    places: &[Place::Contract, Place::Rust],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("unused_allow.rs"),
    check: Check::Elsewhere,
};
