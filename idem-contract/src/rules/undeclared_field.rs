//! # undeclared-field
//!
//! A name that is no field of the payload.
//!
//! ## What it does
//!
//! Reports a name in `request.hash`, `request.ignore`, `[ordering]`, `key.tenant` or `[[allow]] field`
//! that `[payload]` does not declare. The key's own fields are the matter of `undeclared-key-field`.
//!
//! ## Why it hurts
//!
//! A misspelt name in the request hash leaves the real field out of it, and a changed amount is
//! answered with the old result.
//!
//! ## Bad
//!
//! ```toml
//! [request]
//! hash = ["order_id", "amuont", "currency"]
//! ```
//!
//! ## Good
//!
//! ```toml
//! [request]
//! hash = ["order_id", "amount", "currency"]
//! ```
//!
//! ## Source
//!
//! The contract format, "Reading it", Names.

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static UNDECLARED_FIELD: Rule = Rule {
    id: "undeclared-field",
    group: Group::Format,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("undeclared_field.rs"),
    check: Check::Elsewhere,
};
