//! # position-in-key
//!
//! An index, a row number, a length or a counter is part of the key.
//!
//! ## What it does
//!
//! Reports a key part whose origin is `position`, or whose name is one of a loop or a batch: `i`,
//! `idx`, `index`, `row_number`, `batch_offset`. In an attribute it reports `enumerate`, `len`,
//! `position`, `count` and counters of the process. A number that the source itself assigns
//! (`source-sequence`) is no position.
//!
//! ## Why it hurts
//!
//! Positions belong to the batch and not to the item. When a batch is retried without the items
//! that succeeded, every survivor stands where another one stood: its row is found, and it is
//! skipped.
//!
//! ## Bad
//!
//! ```toml
//! [payload]
//! tenant_id = { type = "string", origin = "authenticated" }
//! refund_id = { type = "string", origin = "source-id" }
//! order_id = { type = "string", origin = "business-id" }
//! amount = { type = "integer" }
//! currency = { type = "enum", values = ["EUR", "USD"] }
//! line = { type = "integer", origin = "position" }
//! [key]
//! fields = ["tenant_id", "order_id", "line"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [payload]
//! tenant_id = { type = "string", origin = "authenticated" }
//! refund_id = { type = "string", origin = "source-id" }
//! order_id = { type = "string", origin = "business-id" }
//! amount = { type = "integer" }
//! currency = { type = "enum", values = ["EUR", "USD"] }
//! line_id = { type = "string", origin = "source-id" }
//! [key]
//! fields = ["tenant_id", "order_id", "line_id"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Source
//!
//! caura-ai/caura#1283: ids made of the batch attempt and the index lost the surviving items of
//! each partial retry, and the report said "no errors".

use crate::refusal::{self, Words};
use crate::{Check, Findings, Fixable, Group, KeyExpr, Place, Rule, Severity};

pub(super) static POSITION_IN_KEY: Rule = Rule {
    id: "position-in-key",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Attribute, Place::Rust],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("position_in_key.rs"),
    check: Check::Key(check),
};

const WORDS: Words = Words {
    what: "a position",
    why: "a retry that carries other items, or the same ones in another order, counts anew",
    instead: "write the item's own id",
    race: &[
        "worker A: writes item 0, fails at items 1 and 2",
        "worker B: gets the two failed items as 0 and 1, finds a row under 0 and skips one; nobody notices",
    ],
};

fn check(key: &KeyExpr, findings: &mut Findings<'_>) {
    refusal::report(POSITION_IN_KEY.id, key, findings, &WORDS);
}
