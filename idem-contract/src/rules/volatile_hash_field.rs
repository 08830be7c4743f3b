//! # volatile-hash-field
//!
//! The request hash covers a field that differs between honest retries.
//!
//! ## What it does
//!
//! Reports in the request hash (with `"all"`: in every declared field outside key and `ignore`)
//! fields of type `timestamp`, fields whose origin is `clock`, `random`, `attempt`, `position` or
//! `environment`, and fields with a name that is refused in a key: attempt counts, signatures,
//! trace ids, tokens. Dates are fine.
//!
//! ## Why it hurts
//!
//! A client that retries stamps a new time and signs anew. Its honest retry is then refused as
//! another request under the same key, and the caller never learns what became of the first one.
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
//! sent = { type = "timestamp" }
//! [key]
//! fields = ["tenant_id", "refund_id"]
//! tenant = "tenant_id"
//!
//! [request]
//! hash = ["order_id", "amount", "sent"]
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
//! sent = { type = "timestamp" }
//! [key]
//! fields = ["tenant_id", "refund_id"]
//! tenant = "tenant_id"
//!
//! [request]
//! hash = "all"
//! ignore = ["sent"]
//! ```
//!
//! ## Source
//!
//! Adyen/adyen-commercetools#1305: a hash over a checkout id of the attempt, a creation time and an
//! encrypted blob. formancehq/wallets#109: a creation time in the body that the ledger hashes.

use crate::{
    Check, Contract, Field, Findings, Fix, Fixable, Group, HashSpec, Place, Rule, Setting,
    Severity, Span, Spanned, name, volatile,
};

pub(super) static VOLATILE_HASH_FIELD: Rule = Rule {
    id: "volatile-hash-field",
    group: Group::Request,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Ask,
    source: include_str!("volatile_hash_field.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(hash) = contract.request.hash.given() else {
        return;
    };
    match &hash.value {
        HashSpec::None => {}
        HashSpec::Fields(names) => {
            for (at, name) in names.iter().enumerate() {
                let Some(field) = contract.field(&name.value) else {
                    continue;
                };
                report(name.span, field, findings, without(names, at));
            }
        }
        HashSpec::All => {
            let mut fix = ignoring(contract);
            for field in covered_by_all(contract) {
                if report(hash.span, field, findings, fix.clone()) {
                    // One edit names them all; a second one would write `ignore` twice.
                    fix = None;
                }
            }
        }
    }
}

/// Whether the field was reported.
fn report(span: Span, field: &Field, findings: &mut Findings<'_>, fix: Option<Fix>) -> bool {
    let Some(reason) = volatile::reason(field) else {
        return false;
    };
    let name = &field.name.value;
    let finding = findings.report(
        span,
        format!("request.hash.{name}"),
        format!("`{name}` is in the request hash, and {}", reason.text()),
        "an honest retry has another value and is refused as another request under the same key",
        format!("leave `{name}` out of `hash`, or list it in `ignore` beside `\"all\"`"),
    );
    finding.also(reason.span(), reason.label());
    if let Some(fix) = fix {
        finding.fix(fix);
    }
    true
}

fn covered_by_all(contract: &Contract) -> impl Iterator<Item = &Field> {
    let listed = |list: Option<&Vec<Spanned<String>>>, name: &str| {
        list.is_some_and(|list| list.iter().any(|field| field.value == name))
    };
    contract.payload.iter().filter(move |field| {
        !listed(contract.key.fields.get(), &field.name.value)
            && !listed(contract.request.ignore.get(), &field.name.value)
    })
}

/// The list without its entry `at`; none where a comment may stand between two entries.
fn without(names: &[Spanned<String>], at: usize) -> Option<Fix> {
    let (start, end) = match (at.checked_sub(1), names.get(at + 1)) {
        (Some(before), _) => (names[before].span.end, names[at].span.end),
        (None, Some(next)) => (names[at].span.start, next.span.start),
        (None, None) => return None,
    };
    let length = names[at].span.end - names[at].span.start;
    (end - start <= length + 2).then(|| Fix::replace(Span::new(start, end), "").ask())
}

/// `ignore` with every volatile field that `"all"` covers.
fn ignoring(contract: &Contract) -> Option<Fix> {
    let names: Vec<String> = covered_by_all(contract)
        .filter(|field| volatile::reason(field).is_some())
        .map(|field| name::quoted(&field.name.value))
        .collect();
    let names = names.join(", ");
    match &contract.request.ignore {
        Setting::Absent => Some(
            contract
                .add_setting(
                    contract.request.header,
                    "request",
                    &format!("ignore = [{names}]"),
                )
                .ask(),
        ),
        Setting::Given(ignore) => ignore
            .value
            .last()
            .map(|last| Fix::insert(last.span.end, format!(", {names}")).ask()),
        Setting::Unreadable(_) => None,
    }
}
