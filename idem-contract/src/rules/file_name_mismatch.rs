//! # file-name-mismatch
//!
//! A contract in a file of another name.
//!
//! ## What it does
//!
//! Reports a `workflow` that is not the file's name without `.toml`.
//!
//! ## Why it hurts
//!
//! The attribute, the tools and people look a contract up by the workflow's name. A copied file that
//! kept the old name leaves one workflow without a contract and gives another one two.
//!
//! ## Bad
//!
//! In `contracts/refund-order.toml`:
//!
//! ```toml
//! workflow = "refund-orders"
//! ```
//!
//! ## Good
//!
//! ```toml
//! workflow = "refund-order"
//! ```
//!
//! ## Source
//!
//! The contract format, "Shape".

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static FILE_NAME_MISMATCH: Rule = Rule {
    id: "file-name-mismatch",
    group: Group::Format,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("file_name_mismatch.rs"),
    check: Check::Elsewhere,
};
