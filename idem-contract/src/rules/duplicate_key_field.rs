//! # duplicate-key-field
//!
//! One part stands in the key twice.
//!
//! ## What it does
//!
//! Reports a key part that an earlier part already is.
//!
//! ## Why it hurts
//!
//! It adds nothing, and usually another field was meant: the key is then coarser than its author
//! believes.
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
//!
//! [key]
//! fields = ["tenant_id", "refund_id", "refund_id"]
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
//! A part repeated by copy and paste hides the one that is missing.

use crate::{Check, Findings, Fix, Fixable, Group, KeyExpr, KeyPlace, Place, Rule, Severity, Span};

pub(super) static DUPLICATE_KEY_FIELD: Rule = Rule {
    id: "duplicate-key-field",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Attribute],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("duplicate_key_field.rs"),
    check: Check::Key(check),
};

fn check(key: &KeyExpr, findings: &mut Findings<'_>) {
    for (at, part) in key.parts.iter().enumerate() {
        let Some(first) = key.parts[..at].iter().find(|other| other.name == part.name) else {
            continue;
        };
        let finding = findings.report(
            part.span,
            key.path(part),
            format!("`{}` is in the key twice", part.name),
            "the second adds nothing; usually another field was meant, and the key is coarser than it looks",
            "write the field that was meant, or leave the second out",
        );
        finding.also(first.span, "the first");
        let gap = Span::new(key.parts[at - 1].span.end, part.span.start);
        // More than `, ` between the two may be a comment, and a fix deletes none.
        if key.place == KeyPlace::Contract && gap.end.saturating_sub(gap.start) <= 2 {
            finding.fix(Fix::replace(Span::new(gap.start, part.span.end), ""));
        }
    }
}
