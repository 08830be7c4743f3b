//! # workflow-renamed
//!
//! A workflow is gone, and another with its recipe has appeared.
//!
//! ## What it does
//!
//! Reports a contract that `idem.lock` does not know, when the lock has a workflow without a contract
//! whose key, request hash and window are the same.
//!
//! ## Why it hurts
//!
//! The workflow's name is part of every stored key. Under the new name no stored key is found, and
//! every retry that is under way is done again.
//!
//! ## Bad
//!
//! ```text
//! idem.lock   refund-order
//! contract    refund-paid-order, with the same recipe
//! ```
//!
//! ## Good
//!
//! ```text
//! idem.lock   refund-order
//! contract    refund-order
//! ```
//!
//! ## Source
//!
//! The contract format, "Key text": the workflow is the first part of the stored key.

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static WORKFLOW_RENAMED: Rule = Rule {
    id: "workflow-renamed",
    group: Group::Evolution,
    severity: Severity::Error,
    places: &[Place::Lock],
    core: false,
    since: "0.1.0",
    fixable: Fixable::Ask,
    source: include_str!("workflow_renamed.rs"),
    check: Check::Elsewhere,
};
