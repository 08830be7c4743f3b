//! # unclassified-failure
//!
//! An error variant that does not say what it means for a retry.
//!
//! ## What it does
//!
//! At compile time, reports a variant of an error type with `#[derive(Failure)]` that states none of
//! `no_effect`, `final`, `unknown` and `transparent`.
//!
//! ## Why it hurts
//!
//! The library cannot know whether a failure happened before or after an effect; the author can. An
//! unknown outcome that is taken for "nothing happened" is done twice, and one that is taken for
//! final is replayed to the customer for as long as the window lasts.
//!
//! ## Bad
//!
//! ```rs
//! #[derive(Debug, idem::Failure)]
//! enum RefundError {
//!     NotPaid,
//! }
//! ```
//!
//! ## Good
//!
//! ```rs
//! #[derive(Debug, idem::Failure)]
//! enum RefundError {
//!     #[failure(final)]
//!     NotPaid,
//! }
//! ```
//!
//! ## Source
//!
//! C-Address-Onboarding-Bridge/C-Address-Onboarding-Bridge-Backend#380: a transient failure was
//! stored as the answer and replayed for a day.

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(super) static UNCLASSIFIED_FAILURE: Rule = Rule {
    id: "unclassified-failure",
    group: Group::Commit,
    severity: Severity::Error,
    places: &[Place::Attribute],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("unclassified_failure.rs"),
    check: Check::Elsewhere,
};
