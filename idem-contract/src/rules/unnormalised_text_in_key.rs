//! # unnormalised-text-in-key
//!
//! Free text in the key: case, spaces and accents may vary.
//!
//! ## What it does
//!
//! Reports a key part of type `string` named `name`, `customer_name`, `title`, `label`, `subject`,
//! `description`, `comment`, `city`, `url`, `path` or `filename`, unless its origin is `source-id`:
//! then the source itself takes the text for an identity. Personal data is left to
//! `personal-data-in-key`.
//!
//! ## Why it hurts
//!
//! Key text is compared byte for byte, after Unicode normalisation and without folding of case.
//! `Cafe` and `cafe`, a URL with and without its last slash are two keys, and the work is done
//! twice.
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
//! title = { type = "string", origin = "business-id" }
//! [key]
//! fields = ["tenant_id", "refund_id", "title"]
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
//! title_id = { type = "string", origin = "business-id" }
//! [key]
//! fields = ["tenant_id", "refund_id", "title_id"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Source
//!
//! new-usemame/Calibre-Web-NextGen#416: names in composed and decomposed form hashed differently,
//! and normalising them later changed every key. agentscope-ai/agentscope-java#3217: keys that
//! differ in case only met in a case-insensitive column.

use crate::{
    Check, Contract, FieldType, Findings, Fix, Fixable, Group, Origin, Place, Rule, Severity,
    ladder, name, personal, refusal,
};

pub(super) static UNNORMALISED_TEXT_IN_KEY: Rule = Rule {
    id: "unnormalised-text-in-key",
    group: Group::Key,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::Ask,
    source: include_str!("unnormalised_text_in_key.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    const NAMES: &[&str] = &[
        "city",
        "comment",
        "company_name",
        "customer_name",
        "description",
        "display_name",
        "file_name",
        "filename",
        "label",
        "name",
        "note",
        "path",
        "product_name",
        "subject",
        "text",
        "title",
        "uri",
        "url",
        "user_name",
        "username",
    ];
    for (span, field) in ladder::key_fields(contract) {
        let identity = matches!(
            field.origin.get(),
            Some(Origin::SourceId | Origin::Content | Origin::Authenticated | Origin::EventType)
        );
        if field.kind.get() != Some(&FieldType::String)
            || identity
            || !NAMES.contains(&name::plain(&field.name.value).as_ref())
            || personal::reason(field).is_some()
            || refusal::is_refused_field(field)
        {
            continue;
        }
        let finding = findings.report(
            span,
            format!("key.fields.{}", field.name.value),
            format!("`{}` is free text: its case, spaces and accents may vary", field.name.value),
            "key text is compared byte for byte: the same text written in another way is another operation",
            "write the id of what the text names; in an attribute, `lower(part)` where case carries no meaning",
        );
        finding.also(field.name.span, "declared here");
        if let Some(better) = ladder::discriminators(contract).next() {
            finding.fix(Fix::replace(span, name::quoted(&better.name.value)).ask());
        }
    }
}
