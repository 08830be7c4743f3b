//! # anonymous-scope
//!
//! One bucket for all anonymous callers, or an address as the caller.
//!
//! ## What it does
//!
//! Reports an IP address in the key; a part of origin `authenticated` that may be `anonymous`,
//! `guest` or `public`; and a workflow over `http` whose key is an id the caller made
//! (`stored-before-attempt`) with nothing from the credentials beside it.
//!
//! ## Why it hurts
//!
//! Whoever guesses or reuses another caller's key gets that caller's stored answer. An address is
//! shared by everyone behind it and changes on the way home.
//!
//! ## Bad
//!
//! ```toml
//! [trigger]
//! kind = "http"
//! redelivers_for = "3d"
//! dead_letter_for = "14d"
//!
//! [payload]
//! intent_id = { type = "string", origin = "stored-before-attempt" }
//! order_id = { type = "string", origin = "business-id" }
//! amount = { type = "integer" }
//! currency = { type = "enum", values = ["EUR", "USD"] }
//!
//! [key]
//! fields = ["intent_id"]
//! ```
//!
//! ## Good
//!
//! ```toml
//! [trigger]
//! kind = "http"
//! redelivers_for = "3d"
//! dead_letter_for = "14d"
//!
//! [payload]
//! tenant_id = { type = "string", origin = "authenticated" }
//! refund_id = { type = "string", origin = "source-id" }
//! order_id = { type = "string", origin = "business-id" }
//! amount = { type = "integer" }
//! currency = { type = "enum", values = ["EUR", "USD"] }
//! intent_id = { type = "string", origin = "stored-before-attempt" }
//! [key]
//! fields = ["tenant_id", "intent_id"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Source
//!
//! kortix-ai/suna#5267: two callers with a simple key such as `1` met.

use crate::{
    Check, Contract, Field, Findings, Fixable, Group, Origin, Place, Rule, Severity, Spanned,
    TriggerKind, ladder, name, refusal,
};

pub(super) static ANONYMOUS_SCOPE: Rule = Rule {
    id: "anonymous-scope",
    group: Group::Scope,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("anonymous_scope.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    for (span, field) in ladder::key_fields(contract) {
        let nobody = nobody(field);
        if !is_address(field) && nobody.is_none() || refusal::is_refused_field(field) {
            continue;
        }
        if is_address(field) {
            findings
                .report(
                    span,
                    format!("key.fields.{}", field.name.value),
                    format!("`{}` is an address, not a caller", field.name.value),
                    "everyone behind one address shares it, and one caller's address changes between attempts",
                    "write the caller from the credentials, with `origin = \"authenticated\"`",
                )
                .also(field.name.span, "declared here");
        } else if let Some(nobody) = nobody {
            findings
                .report(
                    span,
                    format!("key.fields.{}", field.name.value),
                    format!("all `{}` callers share one bucket", nobody.value),
                    "one of them gets another one's stored answer when their ids meet",
                    "refuse a key from callers without credentials, or give each an id that is stored before the first attempt",
                )
                .also(nobody.span, "everybody without credentials");
        }
    }
    everybody(contract, findings);
}

/// A key that callers choose, and nothing that says which caller it was.
fn everybody(contract: &Contract, findings: &mut Findings<'_>) {
    let http = contract.trigger.kind.get() == Some(&TriggerKind::Http);
    let chosen = ladder::key_fields(contract)
        .find(|(_, field)| field.origin.get() == Some(&Origin::StoredBeforeAttempt));
    let (true, Some((span, chosen))) = (http, chosen) else {
        return;
    };
    // Unread declarations may hold the caller.
    let unread = !contract.complete
        || (contract.key.fields.get().into_iter().flatten())
            .any(|name| contract.field(&name.value).is_none());
    if unread
        || !ladder::scope(contract).is_empty()
        || ladder::key_fields(contract).any(|(_, field)| is_address(field))
    {
        return;
    }
    let name = &chosen.name.value;
    findings.report(
        span,
        format!("key.fields.{name}"),
        format!("`{name}` is made by the caller, and the key does not say by which"),
        "all callers share one bucket: whoever guesses or reuses a key gets another caller's stored answer",
        "declare the caller from the credentials with `origin = \"authenticated\"` and write it into the key",
    );
}

fn is_address(field: &Field) -> bool {
    matches!(
        name::plain(&field.name.value).as_ref(),
        "ip" | "ip_addr"
            | "ip_address"
            | "client_ip"
            | "remote_ip"
            | "source_ip"
            | "caller_ip"
            | "peer_addr"
    )
}

/// The word for somebody without credentials among the values of an authenticated field.
fn nobody(field: &Field) -> Option<&Spanned<String>> {
    if field.origin.get() != Some(&Origin::Authenticated) {
        return None;
    }
    field.values.get()?.iter().find(|value| {
        matches!(
            value.value.to_ascii_lowercase().as_str(),
            "anonymous" | "guest" | "nobody" | "none" | "public" | "unknown"
        )
    })
}
