//! # missing-tenant
//!
//! The payload knows the tenant, and the key does not.
//!
//! ## What it does
//!
//! Reports a payload field of origin `authenticated`, or named `tenant`, `tenant_id`, `org_id`,
//! `organisation_id`, `organization_id`, `workspace_id` or `merchant_id`, where none of these is in
//! the key. It also reports a `[key] tenant` that is not one of the key's fields.
//!
//! ## Why it hurts
//!
//! Ids are unique for one customer, seldom for all. Two tenants whose ids meet get each other's
//! stored answer, with whatever is in it; and whoever guesses a key is given it.
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
//! fields = ["refund_id"]
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
//! kortix-ai/suna#5267: keys that were unique over the whole installation returned another
//! account's row.

use crate::{
    Check, Contract, Findings, Fix, Fixable, Group, Place, Rule, Setting, Severity, ladder, name,
};

pub(super) static MISSING_TENANT: Rule = Rule {
    id: "missing-tenant",
    group: Group::Scope,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("missing_tenant.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(fields) = contract.key.fields.given() else {
        return;
    };
    let Some(first) = fields.value.first() else {
        return;
    };
    let in_key = |name: &str| fields.value.iter().any(|field| field.value == name);
    // A tenant that is no part of the key is reported where it is read.
    if matches!(contract.key.tenant, Setting::Unreadable(_)) {
        return;
    }
    let scopes = ladder::scope(contract);
    let Some(field) = scopes.first() else {
        return;
    };
    if scopes.iter().any(|field| in_key(&field.name.value)) {
        return;
    }
    let name = &field.name.value;
    let quoted = name::quoted(name);
    let mut fix = Fix::insert(first.span.start, format!("{quoted}, "));
    if contract.key.tenant.is_absent() {
        let setting =
            contract.add_setting(contract.key.header, "key", &format!("tenant = {quoted}"));
        fix.edits.extend(setting.edits);
    }
    findings
        .report(
            fields.span,
            "key.fields",
            format!("`{name}` says for whom the work is done, and is not in the key"),
            "two tenants whose ids meet get each other's stored answer",
            format!("write `fields = [{quoted}, …]` and `tenant = {quoted}` in `[key]`"),
        )
        .also(field.name.span, "the tenant")
        .fix(fix);
}
