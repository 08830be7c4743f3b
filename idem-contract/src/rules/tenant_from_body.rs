//! # tenant-from-body
//!
//! The tenant is taken from what the caller can choose.
//!
//! ## What it does
//!
//! Reports a `[key] tenant` (or a key part named `tenant` or `tenant_id`) whose stated origin is
//! not `authenticated`, where the trigger is `http` or `webhook`. Fields of a webhook body whose
//! signature is verified count as authenticated: then say so.
//!
//! ## Why it hurts
//!
//! A caller who writes another tenant's id into the body reads that tenant's stored answers, and
//! can claim keys before their owner does.
//!
//! ## Bad
//!
//! ```toml
//! [payload]
//! tenant_id = { type = "string", origin = "business-id" }
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
//! OWASP API Security Top 10, API1:2023, broken object level authorization.

use crate::{
    Check, Contract, Findings, Fixable, Group, Origin, Place, Rule, Severity, TriggerKind, ladder,
    name, refusal,
};

pub(super) static TENANT_FROM_BODY: Rule = Rule {
    id: "tenant-from-body",
    group: Group::Scope,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("tenant_from_body.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    if !matches!(
        contract.trigger.kind.get(),
        Some(TriggerKind::Http | TriggerKind::Webhook)
    ) {
        return;
    }
    for (span, field) in ladder::key_fields(contract) {
        let is_tenant = match contract.key.tenant.get() {
            Some(tenant) => *tenant == field.name.value,
            None => matches!(
                name::plain(&field.name.value).as_ref(),
                "tenant" | "tenant_id"
            ),
        };
        let Some(origin) = field.origin.given() else {
            continue;
        };
        if !is_tenant || origin.value == Origin::Authenticated || refusal::is_refused_field(field) {
            continue;
        }
        findings.report(
            span,
            format!("key.fields.{}", field.name.value),
            format!("the tenant `{}` comes from the body: its origin is `{}`", field.name.value, origin.value.as_str()),
            "a caller can name another tenant and is given that tenant's stored answers",
            "take it from the credentials, or from a body whose signature is verified, and write `origin = \"authenticated\"`",
        )
        .also(origin.span, "not from the credentials");
    }
}
