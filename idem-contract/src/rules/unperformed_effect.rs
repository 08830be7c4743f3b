//! # unperformed-effect
//!
//! The contract declares an outside effect that the handler never performs.
//!
//! ## What it does
//!
//! At compile time, reports an effect of kind `keyed-remote`, `remote` or `irreversible` in the
//! contract for which the handler makes no call.
//!
//! ## Why it hurts
//!
//! Either the handler has forgotten something, or the contract promises what no longer happens. The
//! lease, the mode and the dead letter are then computed from a fiction.
//!
//! ## Bad
//!
//! ```rs
//! // The contract declares `provider-refund` and `receipt-mail`.
//! op.step("provider-refund", |key| provider.refund(key, event)).await?;
//! ```
//!
//! ## Good
//!
//! ```rs
//! op.step("provider-refund", |key| provider.refund(key, event)).await?;
//! op.irreversible("receipt-mail", || mail.send(event)).await?;
//! ```
//!
//! ## Source
//!
//! idem's claim: a declared effect that the handler never performs does not compile.

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(super) static UNPERFORMED_EFFECT: Rule = Rule {
    id: "unperformed-effect",
    group: Group::Commit,
    severity: Severity::Error,
    places: &[Place::Attribute],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("unperformed_effect.rs"),
    check: Check::Elsewhere,
};
