//! # attempt-in-key
//!
//! A count of attempts or an id of one delivery is part of the key.
//!
//! ## What it does
//!
//! Reports a key part whose origin is `attempt`, or whose name belongs to one delivery, whatever
//! origin is stated: `attempt`, `retry_count`, `delivery_tag`, `receipt_handle`, `redelivered`,
//! `lock_token`, `trace_id`, `X-Request-Id`. Names count in every spelling, and only as whole
//! names: `payment_attempt_id` is none of them.
//!
//! ## Why it hurts
//!
//! These values exist to tell one delivery from the next, which is the opposite of a key. Some also
//! start again (a delivery tag after a reconnect), so that two messages share one.
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
//! receipt_handle = { type = "string", origin = "source-id" }
//! [key]
//! fields = ["tenant_id", "receipt_handle"]
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
//! message_id = { type = "string", origin = "source-id" }
//! [key]
//! fields = ["tenant_id", "message_id"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Source
//!
//! celery/kombu#431: a receipt handle served as identity, and there is a new one on each receive.
//! simplify9/SW-Serverless#109: a delivery tag counts per channel and starts again on reconnect.

use crate::refusal::{self, Words};
use crate::{Check, Findings, Fixable, Group, KeyExpr, Place, Rule, Severity};

pub(super) static ATTEMPT_IN_KEY: Rule = Rule {
    id: "attempt-in-key",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Attribute, Place::Rust],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("attempt_in_key.rs"),
    check: Check::Key(check),
};

const WORDS: Words = Words {
    what: "different on each delivery",
    why: "the key of the second delivery differs from that of the first, so nothing is recognised",
    instead: "write the message id that the producer set, or an id of the business in the body",
    race: &[
        "worker A: gets the first delivery, finds no row, refunds, and dies before it acknowledges",
        "worker B: gets the second delivery, whose key is another one, finds no row and refunds again",
    ],
};

fn check(key: &KeyExpr, findings: &mut Findings<'_>) {
    refusal::report(ATTEMPT_IN_KEY.id, key, findings, &WORDS);
}
