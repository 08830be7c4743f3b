//! # duplicate-workflow
//!
//! Two files, one workflow.
//!
//! ## What it does
//!
//! Reports every contract whose `workflow` another contract of the project has too.
//!
//! ## Why it hurts
//!
//! Both claim the same keys, with different windows, hashes and effects. Which of them holds depends on
//! the order in which files are read.
//!
//! ## Bad
//!
//! ```text
//! contracts/refund-order.toml       workflow = "refund-order"
//! contracts/refund-order-v2.toml    workflow = "refund-order"
//! ```
//!
//! ## Good
//!
//! ```text
//! contracts/refund-order.toml       workflow = "refund-order", version = 2
//! ```
//!
//! ## Source
//!
//! The contract format, "Shape".

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static DUPLICATE_WORKFLOW: Rule = Rule {
    id: "duplicate-workflow",
    group: Group::Format,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("duplicate_workflow.rs"),
    check: Check::Elsewhere,
};
