//! # unknown-value
//!
//! A word that is not in the list of possible words.
//!
//! ## What it does
//!
//! Reports a value outside of its list: a `kind`, `type`, `origin`, `strategy`, `change` and so on that
//! the format does not know, `hash` that is neither a list nor `all` or `none`, and an `[[allow]]` for
//! a rule that does not exist.
//!
//! ## Why it hurts
//!
//! An unknown word decides nothing, and the reader takes it for a decision.
//!
//! ## Bad
//!
//! ```toml
//! strategy = "tabel"
//! ```
//!
//! ## Good
//!
//! ```toml
//! strategy = "table"
//! ```
//!
//! ## Source
//!
//! The contract format, "Shape".

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static UNKNOWN_VALUE: Rule = Rule {
    id: "unknown-value",
    group: Group::Format,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("unknown_value.rs"),
    check: Check::Elsewhere,
};
