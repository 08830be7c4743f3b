//! # clock-in-key
//!
//! The current time, or a bucket of it, is part of the key.
//!
//! ## What it does
//!
//! Reports a key part whose origin is `clock`, whose default is a call such as `now()`, or whose
//! name says that we stamp it: `received_at`, `processed_at`, `current_date`. In an attribute it
//! reports every call that reads a clock, whatever it was imported as.
//!
//! A coarser clock is no way out. The minute, the day and the month change between two attempts
//! too, and inside one bucket two different operations are taken for one.
//!
//! ## Why it hurts
//!
//! The key of the second attempt differs from the key of the first, so nothing is ever recognised.
//! A double click, a client's time-out and a redelivery each do the work again.
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
//! received_at = { type = "string", origin = "clock" }
//! [key]
//! fields = ["tenant_id", "order_id", "received_at"]
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
//!
//! [key]
//! fields = ["tenant_id", "refund_id"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Source
//!
//! soumen0818/C-Pay#33: payment keys with the current millisecond never matched a second attempt.
//! mozilla/fxa#14700: the minute in a key splits two requests one second apart and comes back every
//! hour. Medical-Software-Foundation/canvas#243: the date in a key refused an honest new try for a
//! day.

use crate::refusal::{self, Words};
use crate::{Check, Findings, Fixable, Group, KeyExpr, Place, Rule, Severity};

pub(super) static CLOCK_IN_KEY: Rule = Rule {
    id: "clock-in-key",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Attribute, Place::Rust],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("clock_in_key.rs"),
    check: Check::Key(check),
};

const WORDS: Words = Words {
    what: "the time of this attempt",
    why: "a retry comes at another time, finds no row and does the work again",
    instead: "write the event's own id; where there is none, store an intent id when the user starts the action",
    race: &[
        "worker A: at 10:15:59 finds no row under …:10:15, refunds, and its answer is lost",
        "worker B: gets the redelivery at 10:16:00, finds no row under …:10:16 and refunds again",
    ],
};

fn check(key: &KeyExpr, findings: &mut Findings<'_>) {
    refusal::report(CLOCK_IN_KEY.id, key, findings, &WORDS);
}
