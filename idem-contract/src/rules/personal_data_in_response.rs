//! # personal-data-in-response
//!
//! Personal data of the payload is kept in stored responses.
//!
//! ## What it does
//!
//! Reports payload fields with `personal = true` that `[response] redact` does not name, where
//! whole responses are kept (`keep = "full"`, the default).
//!
//! ## Why it hurts
//!
//! A stored response lives as long as the key: through backups, and past the day on which the
//! person asks to be forgotten. What the retry does not need should not be there.
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
//! reason = { type = "string", required = false, personal = true }
//! [key]
//! fields = ["tenant_id", "refund_id"]
//! tenant = "tenant_id"
//!
//! [response]
//! keep = "full"
//! max_bytes = "64KiB"
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
//! reason = { type = "string", required = false, personal = true }
//! [key]
//! fields = ["tenant_id", "refund_id"]
//! tenant = "tenant_id"
//!
//! [response]
//! keep = "full"
//! max_bytes = "64KiB"
//! redact = ["reason"]
//! ```
//!
//! ## Source
//!
//! kortix-ai/suna#5267: a stored row returned prompt text to another account.

use crate::{
    Check, Contract, Field, Findings, Fixable, Group, Keep, Place, Rule, Setting, Severity, name,
};

pub(super) static PERSONAL_DATA_IN_RESPONSE: Rule = Rule {
    id: "personal-data-in-response",
    group: Group::Request,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("personal_data_in_response.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let response = &contract.response;
    if contract.effects.is_empty()
        || !contract.keeps_bookkeeping()
        || matches!(response.keep, Setting::Unreadable(_))
        || matches!(response.redact, Setting::Unreadable(_))
        || response.keep.or(Keep::Full) != Keep::Full
    {
        return;
    }
    let kept: Vec<&Field> = contract
        .payload
        .iter()
        .filter(|field| field.personal.get() == Some(&true) && !is_redacted(contract, field))
        .collect();
    if kept.is_empty() {
        return;
    }
    let names: Vec<_> = kept
        .iter()
        .map(|field| format!("`{}`", field.name.value))
        .collect();
    let finding = findings.report(
        response
            .redact
            .span()
            .or(response.keep.span())
            .unwrap_or_else(|| contract.table_anchor(response.header)),
        "response.redact",
        format!("{} may be kept in the stored response", names.join(", ")),
        "a stored response stays for the whole window and in backups, past a request to be forgotten",
        "list the fields of the result that carry it in `[response] redact`, or write `keep = \"tombstone\"`",
    );
    for field in kept {
        finding.also(field.personal.span().unwrap_or(field.name.span), "personal");
    }
}

/// `redact` names fields of the result, which mostly carry the payload's names.
fn is_redacted(contract: &Contract, field: &Field) -> bool {
    let full = field.name.value.as_str();
    contract.response.redact.get().is_some_and(|redact| {
        redact.iter().any(|name| {
            let name = name.value.strip_prefix("result.").unwrap_or(&name.value);
            name == full || name::plain(name) == name::plain(full)
        })
    })
}
