//! # missing-request-hash
//!
//! Nothing notices that a key comes again with another body.
//!
//! ## What it does
//!
//! Reports a workflow with effects whose `[request]` states no `hash`, or states `"none"` although
//! the payload has fields beside the key that the hash could cover.
//!
//! ## Why it hurts
//!
//! A key that is used again with another amount is a mistake of the caller. Without a request hash
//! it is answered with the first result, as if the second amount had been booked.
//!
//! ## Bad
//!
//! ```toml
//! # without request
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
//! zulip/zulip#36213: requests recognised by the key alone; a client that reuses one gets the first
//! answer. josipmusa/idempotency4j#12: the stored answer was given whatever the new body was.
//! nevermined-io/payments-py#270: a hash of amount and currency let another buyer pass.

use crate::{
    Check, Contract, Field, Findings, Fix, Fixable, Group, HashSpec, Place, Rule, Setting,
    Severity, Spanned, volatile,
};

pub(super) static MISSING_REQUEST_HASH: Rule = Rule {
    id: "missing-request-hash",
    group: Group::Request,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("missing_request_hash.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    if contract.effects.is_empty() {
        return;
    }
    let (span, message) = match &contract.request.hash {
        Setting::Unreadable(_) => return,
        Setting::Absent => (
            contract.table_anchor(contract.request.header),
            "the workflow has no request hash",
        ),
        Setting::Given(hash) if hash.value == HashSpec::None => (
            hash.span,
            "the request hash covers nothing, and there is more than the key",
        ),
        Setting::Given(_) => return,
    };
    let uncovered = uncovered(contract);
    if uncovered.is_empty() && !contract.request.hash.is_absent() {
        return;
    }
    let value = suggestion(contract, &uncovered);
    let finding = findings.report(
        span,
        "request.hash",
        message,
        "a key that comes again with another body is answered with the first result, as if it had been done",
        format!("write `hash = {value}` in `[request]`"),
    );
    for field in uncovered.iter().take(3) {
        finding.also(field.name.span, "could change unnoticed");
    }
    finding.fix(match contract.request.hash.given() {
        Some(hash) => Fix::replace(hash.span, value),
        None => contract.add_setting(
            contract.request.header,
            "request",
            &format!("hash = {value}"),
        ),
    });
}

/// The fields beside the key that an honest retry repeats.
fn uncovered(contract: &Contract) -> Vec<&Field> {
    let listed = |list: Option<&Vec<Spanned<String>>>, field: &Field| {
        list.is_some_and(|list| list.iter().any(|name| name.value == field.name.value))
    };
    contract
        .payload
        .iter()
        .filter(|field| !listed(contract.key.fields.get(), field))
        .filter(|field| !listed(contract.request.ignore.get(), field))
        .filter(|field| volatile::reason(field).is_none())
        .collect()
}

fn suggestion(contract: &Contract, uncovered: &[&Field]) -> String {
    if !contract.complete {
        return "\"all\"".to_owned();
    }
    if uncovered.is_empty() {
        return "\"none\"".to_owned();
    }
    let names: Vec<String> = uncovered
        .iter()
        .map(|field| format!("\"{}\"", field.name.value))
        .collect();
    format!("[{}]", names.join(", "))
}
