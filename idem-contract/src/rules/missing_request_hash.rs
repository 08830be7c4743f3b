//! # missing-request-hash
//!
//! Nothing notices that a key comes again with another body.
//!
//! ## What it does
//!
//! Reports a workflow with effects whose `[request]` states no `hash`, or one that covers nothing
//! (`"none"`, an empty list, `"all"` with each field in `ignore`) although the payload has fields
//! beside the key that an honest retry repeats.
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
    Severity, Spanned, name, volatile,
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
        Setting::Given(hash) => match &hash.value {
            HashSpec::Fields(fields) if !fields.is_empty() => return,
            HashSpec::All | HashSpec::None | HashSpec::Fields(_) => (
                hash.span,
                "the request hash covers nothing, and there is more than the key",
            ),
        },
    };
    if all_is_ignored(contract, findings) {
        return;
    }
    let is_all = contract.request.hash.get() == Some(&HashSpec::All);
    let mut uncovered = repeated(contract);
    if is_all || (uncovered.is_empty() && !contract.request.hash.is_absent()) {
        return;
    }
    uncovered.retain(|field| !is_ignored(contract, field));
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

/// Whether `ignore` leaves nothing to be hashed, which is then reported: `"all"` is `"none"` there.
fn all_is_ignored(contract: &Contract, findings: &mut Findings<'_>) -> bool {
    let Some(ignore) = contract.request.ignore.given() else {
        return false;
    };
    let repeated = repeated(contract);
    let ignored = |field: &&Field| is_ignored(contract, field);
    if !contract.complete || repeated.is_empty() || !repeated.iter().all(ignored) {
        return false;
    }
    let finding = findings.report(
        ignore.span,
        "request.ignore",
        "the request hash covers nothing: each field beside the key is ignored",
        "a key that comes again with another body is answered with the first result, as if it had been done",
        format!(
            "take out of `ignore` what an honest retry repeats, such as `{}`",
            repeated[0].name.value
        ),
    );
    for field in repeated.iter().take(3) {
        finding.also(field.name.span, "could change unnoticed");
    }
    true
}

/// The fields beside the key that an honest retry repeats.
fn repeated(contract: &Contract) -> Vec<&Field> {
    (contract.payload.iter())
        .filter(|field| !is_in_key(contract, field))
        .filter(|field| volatile::reason(field).is_none())
        .collect()
}

fn is_in_key(contract: &Contract, field: &Field) -> bool {
    is_listed(contract.key.fields.get(), field)
}

fn is_ignored(contract: &Contract, field: &Field) -> bool {
    is_listed(contract.request.ignore.get(), field)
}

fn is_listed(list: Option<&Vec<Spanned<String>>>, field: &Field) -> bool {
    list.is_some_and(|list| list.iter().any(|name| name.value == field.name.value))
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
        .map(|field| name::quoted(&field.name.value))
        .collect();
    format!("[{}]", names.join(", "))
}
