//! # missing-consumer
//!
//! Several consumers get each event, and this one has no name.
//!
//! ## What it does
//!
//! Reports `[trigger] fan_out = true` without `consumer`.
//!
//! ## Why it hurts
//!
//! The consumer's name is part of the stored key. Without it two consumers of one event that keep
//! their bookkeeping in one table share a key: the first does its work, and the second believes
//! that it has done its own.
//!
//! ## Bad
//!
//! ```toml
//! [trigger]
//! kind = "queue"
//! redelivers_for = "3d"
//! dead_letter_for = "14d"
//! ordered = true
//! fan_out = true
//!
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
//! ## Good
//!
//! ```toml
//! [trigger]
//! kind = "queue"
//! redelivers_for = "3d"
//! dead_letter_for = "14d"
//! ordered = true
//! fan_out = true
//! consumer = "billing"
//!
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
//! GitHub's webhook documentation: one delivery id is shared by all hooks that get the event.

use crate::{Check, Contract, Findings, Fixable, Group, Place, Rule, Severity};

pub(super) static MISSING_CONSUMER: Rule = Rule {
    id: "missing-consumer",
    group: Group::Scope,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("missing_consumer.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(fan_out) = contract.trigger.fan_out.given() else {
        return;
    };
    if !fan_out.value || !contract.trigger.consumer.is_absent() {
        return;
    }
    findings
        .report(
            fan_out.span,
            "trigger.consumer",
            "several consumers get each event, and this one does not say which it is",
            "two consumers with one table share a key: the second believes that it has done its work",
            "write `consumer = \"…\"`, a name that stays when the service is renamed",
        )
        .race(&[
            "worker A: billing gets the event, claims the key, books it and completes",
            "worker B: shipping gets the same event, finds billing's row and answers with its result",
        ]);
}
