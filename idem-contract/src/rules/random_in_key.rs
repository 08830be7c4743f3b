//! # random-in-key
//!
//! A value that is drawn at call time is part of the key.
//!
//! ## What it does
//!
//! Reports a key part whose origin is `random`, whose default is a generator such as `uuid()`, or
//! whose name says that it is drawn: `nonce`, `token`, `signature`. In an attribute it reports
//! every call that draws a value, in closures and behind aliases too.
//!
//! ## Why it hurts
//!
//! A fresh value makes a fresh operation. The store, the header and the unique index can all be
//! right, and each retry still goes in as new.
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
//! request_uuid = { type = "uuid", origin = "random" }
//! [key]
//! fields = ["tenant_id", "request_uuid"]
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
//! intent_id = { type = "uuid", origin = "stored-before-attempt" }
//! [key]
//! fields = ["tenant_id", "intent_id"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Source
//!
//! JiRaska/open-bank-oss#7172: a new UUID in each submit handler, behind three layers of
//! protection. ProgixDev/incacook-app#36: a fresh ULID whenever the caller gave no key.
//! affaan-m/ECC#271: a random UUID as the de-duplication id of a queue.

use crate::refusal::{self, Words};
use crate::{Check, Findings, Fixable, Group, KeyExpr, Place, Rule, Severity};

pub(super) static RANDOM_IN_KEY: Rule = Rule {
    id: "random-in-key",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Attribute, Place::Rust],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("random_in_key.rs"),
    check: Check::Key(check),
};

const WORDS: Words = Words {
    what: "a value drawn at call time",
    why: "each attempt draws another one, so no attempt recognises the one before",
    instead: "write an id that was made once and stored before the first attempt: store an intent id when the user starts the action",
    race: &[
        "worker A: draws 7f3a…, finds no row, refunds, and its answer is lost",
        "worker B: draws c01d…, finds no row and refunds again",
    ],
};

fn check(key: &KeyExpr, findings: &mut Findings<'_>) {
    refusal::report(RANDOM_IN_KEY.id, key, findings, &WORDS);
}
