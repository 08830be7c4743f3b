//! # unstated-origin
//!
//! A key field that does not say where its value is born.
//!
//! ## What it does
//!
//! Reports a field of the key whose declaration has no `origin`. A field that its name or its type
//! refuses already is left to that rule.
//!
//! ## Why it hurts
//!
//! Whether a key holds depends on nothing else. A UUID above all tells nothing by itself: made once
//! and stored it is the best of keys, made on each attempt it is no key at all.
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
//! payment_id = { type = "uuid" }
//! [key]
//! fields = ["tenant_id", "payment_id"]
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
//! payment_id = { type = "uuid", origin = "stored-before-attempt" }
//! [key]
//! fields = ["tenant_id", "payment_id"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Source
//!
//! HeddleCo/heddle#1677: the same turn had a different UUID on every clone.
//! liwala/ay-framework#252: one id had two places of birth, and the second made a new one for each
//! retry.

use crate::{
    Check, Contract, FieldType, Findings, Fixable, Group, Place, Rule, Severity, ladder, refusal,
};

pub(super) static UNSTATED_ORIGIN: Rule = Rule {
    id: "unstated-origin",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("unstated_origin.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    for (span, field) in ladder::key_fields(contract) {
        let kind = field.kind.get();
        if !field.origin.is_absent()
            || kind == Some(&FieldType::Timestamp)
            || refusal::is_refused_field(field)
        {
            continue;
        }
        let why = if kind == Some(&FieldType::Uuid) {
            "a UUID made once and stored holds; one made on each attempt is a new key each time"
        } else {
            "a value made on each attempt is a new key each time, and nothing here says that this one is not"
        };
        findings
            .report(
                span,
                format!("key.fields.{}", field.name.value),
                format!("`{}` does not say where it is born", field.name.value),
                why,
                "write its `origin`: `source-id`, `business-id`, `stored-before-attempt`, `source-sequence`, `authenticated`, …",
            )
            .also(field.name.span, "declared without `origin`");
    }
}
