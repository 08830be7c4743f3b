//! # suspicious-key-name
//!
//! A key part with the name of a time, a position or a drawn value.
//!
//! ## What it does
//!
//! Reports a key part named `ts`, `timestamp`, `time`, `nonce`, `idx`, `index`, `i`, `n`, `seq`,
//! `counter`, `rand` or `token`, or ending in `_at`, `_ts`, `_time`, `_ms` or `_idx`, unless its
//! origin is `source-sequence` or its type `date`. A part that its origin, its type or the table of
//! unstable names refuses is left to that rule.
//!
//! ## Why it hurts
//!
//! An integer called `created_ms` is a time, whatever its type says; nothing but its name gives it
//! away.
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
//! expires_ms = { type = "integer", origin = "business-id" }
//! [key]
//! fields = ["tenant_id", "refund_id", "expires_ms"]
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
//! expiry_day = { type = "date", origin = "business-id" }
//! [key]
//! fields = ["tenant_id", "refund_id", "expiry_day"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Source
//!
//! letsrevel/revel-backend#803: an expiry that stayed the same after a rollback merged two attempts
//! to pay.

use crate::{
    Check, FieldType, Findings, Fixable, Group, KeyExpr, Origin, Place, Rule, Severity, name,
    refusal,
};

pub(super) static SUSPICIOUS_KEY_NAME: Rule = Rule {
    id: "suspicious-key-name",
    group: Group::Key,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("suspicious_key_name.rs"),
    check: Check::Key(check),
};

fn check(key: &KeyExpr, findings: &mut Findings<'_>) {
    for part in &key.parts {
        let Some(declared) = part.declared else {
            continue;
        };
        let fine = part.origin == Some(Origin::SourceSequence)
            || matches!(
                part.field_type,
                Some(FieldType::Date | FieldType::Timestamp)
            );
        if fine || !is_suspicious(&name::plain(&part.name)) || refusal::is_refused(part) {
            continue;
        }
        findings
            .report(
                part.span,
                key.path(part),
                format!("`{}` has the name of a time, a position or a drawn value", part.name),
                "such a value differs between two attempts, or is shared by two operations",
                "write the event's own id; where the name misleads, `[[allow]] rule = \"suspicious-key-name\"` with a reason",
            )
            .also(declared.name, "declared here");
    }
}

fn is_suspicious(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "ts",
        "timestamp",
        "time",
        "nonce",
        "idx",
        "index",
        "i",
        "n",
        "seq",
        "counter",
        "rand",
        "token",
    ];
    const ENDS: &[&str] = &["_at", "_ts", "_time", "_ms", "_idx"];
    NAMES.contains(&name) || ENDS.iter().any(|end| name.ends_with(end))
}
