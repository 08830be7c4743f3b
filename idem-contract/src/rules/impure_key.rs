//! # impure-key
//!
//! A call in the key is not proved to be a function of the arguments.
//!
//! ## What it does
//!
//! The attribute writes every key expression into a `const fn` that is never called. A `const fn`
//! can reach no clock, no generator, no environment, no counter and no file, so the compiler proves
//! that the key follows from the handler's arguments alone, and points at the call that it cannot
//! prove (E0015: "cannot call non-const … in constant functions"). The generated function's name
//! ends in `must_be_computed_from_its_arguments_alone`.
//!
//! Before that, this rule refuses in its own words the calls that are known to lose something:
//! `serde_json::to_string` of a whole request, `truncate`, `from_utf8_lossy`.
//!
//! Offered instead: a field path; an accessor that is a `const fn`; `sha256(part)`, `lower(part)`
//! and `uuid_v5(namespace, part)` of `idem::key`; and, where you know better, `trust(expr, reason =
//! "…")`, which lifts the proof for that part and is listed by the linter.
//!
//! ## Why it hurts
//!
//! A helper with an honest name can read a clock three calls deep, and no list of names sees it. A
//! serialised request contains whatever the next release adds to it: the key of the retry differs.
//!
//! ## Bad
//!
//! ```rs
//! #[idempotent(contract = "refund-order", key = (event.tenant_id, sha256(serde_json::to_vec(&event))))]
//! ```
//!
//! ## Good
//!
//! ```rs
//! #[idempotent(contract = "refund-order", key = (event.tenant_id, event.refund_id))]
//! ```
//!
//! ## Source
//!
//! Adyen/adyen-commercetools#1305: a hash of the whole request, with a time and an encrypted blob
//! in it, authorised a second payment. E0015 in the index of compiler errors.

use crate::refusal::{Cause, causes};
use crate::{Check, Findings, Fixable, Group, KeyExpr, Place, Rule, Severity};

pub(super) static IMPURE_KEY: Rule = Rule {
    id: "impure-key",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Attribute],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("impure_key.rs"),
    check: Check::Key(check),
};

fn check(key: &KeyExpr, findings: &mut Findings<'_>) {
    for part in &key.parts {
        for (rule, cause) in causes(part) {
            let Cause::Name(mention, entry) = cause else {
                continue;
            };
            if rule != IMPURE_KEY.id {
                continue;
            }
            findings.report(
                mention.span,
                key.path(part),
                format!("`{}` does not keep the value: what it gives can differ for one event, or agree for two", mention.name),
                "a retry whose key differs finds no row; two events whose keys agree are taken for one",
                format!("write instead: {}", entry.instead),
            );
        }
    }
}
