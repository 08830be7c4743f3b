//! # hash-recipe-changed
//!
//! The request hash covers something else, under the same version.
//!
//! ## What it does
//!
//! Compares the fields of the request hash, with their types, with the entry in `idem.lock`. When they
//! differ, `version` must have grown.
//!
//! ## Why it hurts
//!
//! The digest of a stored request was made by the old recipe. An honest retry is hashed by the new one,
//! differs, and is refused as if its body had been changed.
//!
//! ## Bad
//!
//! ```text
//! idem.lock   version = 1, hash = ["amount: decimal"]
//! contract    version = 1, hash = ["amount", "currency"]
//! ```
//!
//! ## Good
//!
//! ```text
//! idem.lock   version = 1, hash = ["amount: decimal"]
//! contract    version = 2, hash = ["amount", "currency"]
//! ```
//!
//! ## Source
//!
//! The contract format, "Request hash": the digest is stored with its recipe's version.

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static HASH_RECIPE_CHANGED: Rule = Rule {
    id: "hash-recipe-changed",
    group: Group::Evolution,
    severity: Severity::Error,
    places: &[Place::Lock],
    core: false,
    since: "0.1.0",
    fixable: Fixable::Ask,
    source: include_str!("hash_recipe_changed.rs"),
    check: Check::Elsewhere,
};
