//! # mutable-key-part
//!
//! The key contains a value that the workflow itself changes.
//!
//! ## What it does
//!
//! Reports a key part named `status`, `state`, `stage`, `phase`, `progress`, `amount`, `balance`,
//! `total`, `quantity`, `stock` or `remaining`, or whose name ends in such a word (`order_status`).
//! Ids that the source assigns and event types are left alone.
//!
//! ## Why it hurts
//!
//! The first attempt changes the value, and the retry computes another key from the changed one. An
//! amount besides merges two honest operations of the same size.
//!
//! ## Bad
//!
//! ```toml
//! [payload]
//! tenant_id = { type = "string", origin = "authenticated" }
//! refund_id = { type = "string", origin = "source-id" }
//! order_id = { type = "string", origin = "business-id" }
//! amount = { type = "integer", origin = "business-id" }
//! currency = { type = "enum", values = ["EUR", "USD"] }
//!
//! [key]
//! fields = ["tenant_id", "order_id", "amount"]
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
//! Adyen/adyen-shopware6#248 and HealthByRo/aa-stripe#68: refund keys that were mended by the
//! amount, where an id of the refund was needed.

use crate::{
    Check, Findings, Fixable, Group, KeyExpr, Origin, Place, Rule, Severity, name, refusal,
};

pub(super) static MUTABLE_KEY_PART: Rule = Rule {
    id: "mutable-key-part",
    group: Group::Key,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("mutable_key_part.rs"),
    check: Check::Key(check),
};

fn check(key: &KeyExpr, findings: &mut Findings<'_>) {
    const WORDS: &[&str] = &[
        "amount",
        "balance",
        "phase",
        "progress",
        "qty",
        "quantity",
        "remaining",
        "stage",
        "state",
        "status",
        "stock",
        "total",
    ];
    for part in &key.parts {
        let assigned = matches!(
            part.origin,
            Some(
                Origin::SourceId
                    | Origin::SourceSequence
                    | Origin::EventType
                    | Origin::Authenticated
            )
        );
        let Some(declared) = part.declared else {
            continue;
        };
        if assigned
            || !WORDS.contains(&name::last_word(&part.name).as_str())
            || refusal::is_refused(part)
        {
            continue;
        }
        findings
            .report(
                part.span,
                key.path(part),
                format!("`{}` can change between two attempts, or agree for two operations", part.name),
                "an attempt that changed it leaves a retry with another key; two operations of one size share one",
                "write the id of the operation; the value belongs into `[request] hash`",
            )
            .also(declared.name, "declared here");
    }
}
