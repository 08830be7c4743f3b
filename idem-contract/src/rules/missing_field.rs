//! # missing-field
//!
//! A setting that every contract has to state is absent.
//!
//! ## What it does
//!
//! Reports the absence of `contract`, `workflow`, `version`, `owner`, `summary`, `trigger.kind` and
//! `[payload]`, of a field's `type`, of an enum's `values`, of an effect's `name` and `kind`, and of
//! what a table cannot do without. Where another rule is named for the absence (`missing-lease`,
//! `no-key`, `missing-request-hash` and their like), that rule speaks.
//!
//! ## Why it hurts
//!
//! What is not stated is decided by accident, and differently by each reader.
//!
//! ## Bad
//!
//! ```toml
//! # without owner
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
//! The contract format, "Reading it", Mandatory.

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static MISSING_FIELD: Rule = Rule {
    id: "missing-field",
    group: Group::Format,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("missing_field.rs"),
    check: Check::Elsewhere,
};
