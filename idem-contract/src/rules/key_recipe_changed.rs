//! # key-recipe-changed
//!
//! The key is made of something else, under the same version.
//!
//! ## What it does
//!
//! Compares a contract with its entry in `idem.lock`: consumer and key fields with their order and
//! types. When they differ, `version` must have grown, and a `[[key.previous]]` must state the locked
//! recipe, so that retries which began under it still find their row.
//!
//! ## Why it hurts
//!
//! A retry that began before the release computes another key after it. It finds no row and does the
//! work again.
//!
//! ## Bad
//!
//! ```text
//! idem.lock   version = 1, fields = ["refund_id: string"]
//! contract    version = 1, fields = ["tenant_id", "refund_id"]
//! ```
//!
//! ## Good
//!
//! ```text
//! idem.lock   version = 1, fields = ["refund_id: string"]
//! contract    version = 2, fields = ["tenant_id", "refund_id"]
//!             [[key.previous]] version = 1, fields = ["refund_id"], until = 2027-03-01
//! ```
//!
//! ## Source
//!
//! The contract format, "Shape": retries started under an older recipe still find their row.

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static KEY_RECIPE_CHANGED: Rule = Rule {
    id: "key-recipe-changed",
    group: Group::Evolution,
    severity: Severity::Error,
    places: &[Place::Lock],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Ask,
    source: include_str!("key_recipe_changed.rs"),
    check: Check::Elsewhere,
};
