//! # timestamp-in-key
//!
//! A time of the payload is part of the key.
//!
//! ## What it does
//!
//! Reports a key part of type `timestamp`, whatever its origin, and one of type `date` whose origin
//! is not `business-id`. A business date (the day a report is for, the month that is billed) names
//! the occasion and is fine. Times that we stamp are `clock-in-key`.
//!
//! ## Why it hurts
//!
//! Two events can carry the same time, and then the second is lost. One event can carry its time in
//! two precisions or two zones, and then it is done twice. A time that was chosen and stored, such
//! as the slot of a booking, may be allowed with that reason.
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
//! occurred_at = { type = "timestamp", origin = "source-id" }
//! [key]
//! fields = ["tenant_id", "order_id", "occurred_at"]
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
//! business_date = { type = "date", origin = "business-id" }
//! [key]
//! fields = ["tenant_id", "order_id", "business_date"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Source
//!
//! Medical-Software-Foundation/canvas#243 and letsrevel/revel-backend#803: keys with a date that
//! stayed when the operation was a new one.

use crate::{
    Check, FieldType, Findings, Fixable, Group, KeyExpr, Origin, Place, Rule, Severity, refusal,
};

pub(super) static TIMESTAMP_IN_KEY: Rule = Rule {
    id: "timestamp-in-key",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Attribute],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("timestamp_in_key.rs"),
    check: Check::Key(check),
};

fn check(key: &KeyExpr, findings: &mut Findings<'_>) {
    for part in &key.parts {
        let name = &part.name;
        let (message, help) = match (part.field_type, part.origin) {
            (Some(FieldType::Timestamp), _) => (
                format!("`{name}` is a time, and times are no identity"),
                "write the event's own id; the time may order events (`[ordering] version`). A time that was \
                 chosen and stored is silenced by `[[allow]] rule = \"timestamp-in-key\"` with that reason",
            ),
            (Some(FieldType::Date), Some(origin)) if origin != Origin::BusinessId => (
                format!("`{name}` is a date of origin `{}`", origin.as_str()),
                "write `origin = \"business-id\"` where it is the day the work is for; otherwise write the event's own id",
            ),
            _ => continue,
        };
        if refusal::is_refused(part) {
            continue;
        }
        let finding = findings.report(
            part.span,
            key.path(part),
            message,
            "two events can share a time, and one event can carry it in two precisions or zones",
            help,
        );
        if let Some(declared) = part.declared {
            let (span, label) = match part.field_type {
                Some(FieldType::Date) => (declared.origin, "not a date of the business"),
                _ => (declared.kind, "declared as a time"),
            };
            finding.also(span.unwrap_or(declared.name), label);
        }
    }
}
