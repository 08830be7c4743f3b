//! # personal-data-in-key
//!
//! Personal data or a secret in the key.
//!
//! ## What it does
//!
//! Reports a key part that is declared `personal = true`, or whose name is one of personal data or
//! a secret: `email`, `customer_phone`, `iban`, `card_number`, `password`, `api_key`. A part of
//! origin `content` is a digest and is left alone.
//!
//! ## Why it hurts
//!
//! Keys are readable text. They stand in logs, in error messages, in backups and in headers sent to
//! providers, and they stay for the whole window. What must be deleted on request does not belong
//! there; it is seldom written in one way only, too.
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
//! email = { type = "string", origin = "business-id" }
//! [key]
//! fields = ["tenant_id", "refund_id", "email"]
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
//! customer_id = { type = "string", origin = "business-id" }
//! [key]
//! fields = ["tenant_id", "refund_id", "customer_id"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Source
//!
//! OWASP, Logging Cheat Sheet, "Data to exclude".

use crate::{
    Check, Contract, Findings, Fix, Fixable, Group, Origin, Place, Rule, Severity, ladder, name,
    personal, refusal,
};

pub(super) static PERSONAL_DATA_IN_KEY: Rule = Rule {
    id: "personal-data-in-key",
    group: Group::Key,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::Ask,
    source: include_str!("personal_data_in_key.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    for (span, field) in ladder::key_fields(contract) {
        let Some(reason) = personal::reason(field) else {
            continue;
        };
        if field.origin.get() == Some(&Origin::Content) || refusal::is_refused_field(field) {
            continue;
        }
        let finding = findings.report(
            span,
            format!("key.fields.{}", field.name.value),
            format!("`{}` is {} and would stand in key text", field.name.value, reason.what()),
            "keys stand readable in logs, backups and providers' headers for the whole window",
            "write an id of the person or thing; in an attribute, `sha256(part)` where there is none",
        );
        finding.also(reason.span(), reason.label());
        if let Some(better) = ladder::discriminators(contract).next() {
            finding.fix(Fix::replace(span, name::quoted(&better.name.value)).ask());
        }
    }
}
