//! # undeclared-key-field
//!
//! A key field that the payload does not have.
//!
//! ## What it does
//!
//! Reports a name in `[key] fields` or `[[key.previous]] fields` that `[payload]` does not declare.
//!
//! ## Why it hurts
//!
//! Of an undeclared field nobody knows the type, the birth or whether it is always there, and a
//! misspelled one is never there.
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
//! fields = ["tenant_id", "refundid"]
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
//! hookdeck/outpost#670: a quoted word among the fields of a key was the same for every event.

use std::collections::HashSet;

use crate::parse::near::nearest;
use crate::{Check, Contract, Findings, Fix, Fixable, Group, Place, Rule, Severity, Spanned, name};

pub(super) static UNDECLARED_KEY_FIELD: Rule = Rule {
    id: "undeclared-key-field",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Attribute],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("undeclared_key_field.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    // Without any payload the parser has said what is missing.
    if contract.payload.is_empty() && contract.payload_header.is_none() {
        return;
    }
    if let Some(fields) = contract.key.fields.get() {
        check_fields(contract, "key.fields", fields, findings);
    }
    for previous in &contract.key.previous {
        if let Some(fields) = previous.fields.get() {
            check_fields(contract, "key.previous.fields", fields, findings);
        }
    }
}

fn check_fields(
    contract: &Contract,
    path: &str,
    fields: &[Spanned<String>],
    findings: &mut Findings<'_>,
) {
    let taken: HashSet<&str> = fields.iter().map(|field| field.value.as_str()).collect();
    for field in fields {
        if !contract.lacks_field(&field.value) {
            continue;
        }
        let near = nearest(&field.value, candidates(contract, &taken));
        let help = match near {
            Some(near) => format!(
                "write `{near}`, or declare `{}` in `[payload]`",
                field.value
            ),
            None => format!(
                "declare `{}` in `[payload]` with its `type` and its `origin`",
                field.value
            ),
        };
        let finding = findings.report(
            field.span,
            format!("{path}.{}", field.value),
            format!("`{}` is not in the payload", field.value),
            "of an undeclared field nobody knows whether it is there, and whether a retry has it again",
            help,
        );
        if let Some(near) = near {
            finding.fix(Fix::replace(field.span, name::quoted(near)));
        }
    }
}

fn candidates<'c>(
    contract: &'c Contract,
    taken: &'c HashSet<&str>,
) -> impl Iterator<Item = &'c str> {
    contract
        .payload
        .iter()
        .map(|field| field.name.value.as_str())
        .filter(|known| !taken.contains(known))
}
