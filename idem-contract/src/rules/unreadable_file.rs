//! # unreadable-file
//!
//! A file that could not be read as text.
//!
//! ## What it does
//!
//! Reports a file that cannot be opened, is larger than 4 MiB, or is not UTF-8.
//!
//! ## Why it hurts
//!
//! Nothing of such a file was checked; that must not look like a clean file.
//!
//! ## Bad
//!
//! ```text
//! a file saved as UTF-16
//! ```
//!
//! ## Good
//!
//! ```text
//! the same file saved as UTF-8
//! ```
//!
//! ## Source
//!
//! <https://toml.io/en/v1.1.0>: a TOML file is valid UTF-8.

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static UNREADABLE_FILE: Rule = Rule {
    id: "unreadable-file",
    group: Group::Format,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("unreadable_file.rs"),
    check: Check::Elsewhere,
};
