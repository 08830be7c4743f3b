//! # stale-lock
//!
//! `idem.lock` is missing, or does not say what the contracts say.
//!
//! ## What it does
//!
//! Reports a contract that the lockfile does not have or has with other words, an entry whose contract
//! is gone, and a lockfile that cannot be read. Where a more exact rule speaks of the difference, this
//! one is silent.
//!
//! ## Why it hurts
//!
//! The lockfile is the only memory of what live keys were made of. When it is behind, the next change of
//! a key passes unseen.
//!
//! ## Bad
//!
//! ```text
//! contracts/refund-order.toml without an entry in contracts/idem.lock
//! ```
//!
//! ## Good
//!
//! ```text
//! `idem lock` was run, and its result is committed with the contract
//! ```
//!
//! ## Source
//!
//! The rules, "evolution and wiring".

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static STALE_LOCK: Rule = Rule {
    id: "stale-lock",
    group: Group::Evolution,
    severity: Severity::Error,
    places: &[Place::Lock],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("stale_lock.rs"),
    check: Check::Elsewhere,
};
