//! # expired-overlap
//!
//! An older key recipe past its date.
//!
//! ## What it does
//!
//! Reports a `[[key.previous]]` whose `until` is over.
//!
//! ## Why it hurts
//!
//! Each claim still looks for a key that no retry carries any more: one read more for every operation,
//! and a recipe in the file that is no longer true.
//!
//! ## Bad
//!
//! ```toml
//! [[key.previous]]
//! version = 1
//! fields = ["refund_id"]
//! until = 2020-03-01
//! ```
//!
//! ## Good
//!
//! ```toml
//! [[key.previous]]
//! version = 1
//! fields = ["refund_id"]
//! until = 9999-03-01
//! ```
//!
//! ## Source
//!
//! The contract format, "Shape".

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static EXPIRED_OVERLAP: Rule = Rule {
    id: "expired-overlap",
    group: Group::Format,
    severity: Severity::Warn,
    places: &[Place::Contract, Place::Rust],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("expired_overlap.rs"),
    check: Check::Elsewhere,
};
