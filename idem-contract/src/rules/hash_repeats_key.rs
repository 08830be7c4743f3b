//! # hash-repeats-key
//!
//! The request hash covers key fields alone, so it can never differ.
//!
//! ## What it does
//!
//! Reports a `[request] hash` whose fields are all fields of the key.
//!
//! ## Why it hurts
//!
//! Two requests with one key agree in the fields of the key by definition. The comparison looks
//! like a safeguard and always succeeds.
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
//! fields = ["tenant_id", "refund_id"]
//! tenant = "tenant_id"
//!
//! [request]
//! hash = ["refund_id"]
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
//!
//! [request]
//! hash = ["order_id", "amount", "currency"]
//! ```
//!
//! ## Source
//!
//! RamaAditya49/titen#37: neither key nor hash contained what differed, and the wrong answer was
//! given as a success.

use crate::{
    Check, Contract, Findings, Fix, Fixable, Group, HashSpec, Place, Rule, Severity, name, volatile,
};

pub(super) static HASH_REPEATS_KEY: Rule = Rule {
    id: "hash-repeats-key",
    group: Group::Request,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Ask,
    source: include_str!("hash_repeats_key.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let (Some(hash), Some(key)) = (contract.request.hash.given(), contract.key.fields.get()) else {
        return;
    };
    let HashSpec::Fields(fields) = &hash.value else {
        return;
    };
    let in_key = |name: &str| key.iter().any(|field| field.value == name);
    if fields.is_empty() || !fields.iter().all(|field| in_key(&field.value)) {
        return;
    }
    let rest: Vec<String> = contract
        .payload
        .iter()
        .filter(|field| !in_key(&field.name.value) && volatile::reason(field).is_none())
        .map(|field| name::quoted(&field.name.value))
        .collect();
    let value = if rest.is_empty() {
        "\"none\"".to_owned()
    } else {
        format!("[{}]", rest.join(", "))
    };
    let finding = findings.report(
        hash.span,
        "request.hash",
        "the request hash covers key fields alone",
        "two requests with one key agree in them by definition: the comparison can never fail",
        format!("write the fields that an honest retry repeats: `hash = {value}`"),
    );
    finding.also(key.first().map_or(hash.span, |field| field.span), "the key");
    if contract.complete {
        finding.fix(Fix::replace(hash.span, value).ask());
    }
}
