//! # wrong-type
//!
//! A value of the wrong kind.
//!
//! ## What it does
//!
//! Reports a number where a text is wanted, a text where a list is wanted, `[claim]` written as a
//! value, `[effects]` for `[[effects]]`, a `default` that is no value of its field's type, and a key
//! field of type `object` or `array`, which has no key text.
//!
//! ## Why it hurts
//!
//! A value of another kind is not read, so the setting is as good as absent.
//!
//! ## Bad
//!
//! ```toml
//! [claim]
//! lease = 30
//! window = "30d"
//! max_attempts = 5
//! ```
//!
//! ## Good
//!
//! ```toml
//! [claim]
//! lease = "30s"
//! window = "30d"
//! max_attempts = 5
//! ```
//!
//! ## Source
//!
//! The contract format, "Shape".

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static WRONG_TYPE: Rule = Rule {
    id: "wrong-type",
    group: Group::Format,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("wrong_type.rs"),
    check: Check::Elsewhere,
};
