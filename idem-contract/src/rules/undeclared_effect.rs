//! # undeclared-effect
//!
//! The handler performs an effect that the contract does not declare.
//!
//! ## What it does
//!
//! At compile time, reports a step or an irreversible call in the handler whose name is not the name
//! of an effect in the contract, or that is made through the call for another kind of effect.
//!
//! ## Why it hurts
//!
//! Mode, lease, dead letter and drill are derived from the declared effects. One that is not declared
//! is protected by none of them.
//!
//! ## Bad
//!
//! ```rs
//! // The contract declares the effect `provider-refund`.
//! op.step("provider-reimburse", |key| provider.refund(key, event)).await?;
//! ```
//!
//! ## Good
//!
//! ```rs
//! op.step("provider-refund", |key| provider.refund(key, event)).await?;
//! ```
//!
//! ## Source
//!
//! idem's claim: a step name that the contract does not declare does not compile.

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(super) static UNDECLARED_EFFECT: Rule = Rule {
    id: "undeclared-effect",
    group: Group::Commit,
    severity: Severity::Error,
    places: &[Place::Attribute],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("undeclared_effect.rs"),
    check: Check::Elsewhere,
};
