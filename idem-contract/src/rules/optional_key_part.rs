//! # optional-key-part
//!
//! A part of the key may be absent.
//!
//! ## What it does
//!
//! Reports a key part with `required = false`. One that also has a `default` is `default-in-key`.
//!
//! ## Why it hurts
//!
//! All events without the value share one key: the first is done, and the others are taken for its
//! repetitions. A unique index does the opposite: no NULL equals another, so that none of them is
//! protected.
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
//! region = { type = "string", origin = "business-id", required = false }
//! [key]
//! fields = ["tenant_id", "refund_id", "region"]
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
//! region = { type = "string", origin = "business-id" }
//! [key]
//! fields = ["tenant_id", "refund_id", "region"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Source
//!
//! ariga/atlas#1939: a unique index over two columns accepts any number of rows whose second one is
//! NULL.

use crate::refusal::{self, Cause, causes};
use crate::{Check, Findings, Fixable, Group, KeyExpr, Part, Place, Rule, Severity, Span};

pub(super) static OPTIONAL_KEY_PART: Rule = Rule {
    id: "optional-key-part",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Attribute],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("optional_key_part.rs"),
    check: Check::Key(check),
};

fn check(key: &KeyExpr, findings: &mut Findings<'_>) {
    for part in &key.parts {
        let swallowed = swallowed(part);
        let optional = part.optional && part.default.is_none() && !refusal::is_refused(part);
        if !optional && swallowed.is_none() {
            continue;
        }
        let finding = findings.report(
            swallowed.unwrap_or(part.span),
            key.path(part),
            format!("`{}` may be absent", part.name),
            "events without it share one key, and all but the first are taken for repetitions",
            "write a field that every event has and refuse events without it, or make two workflows of it",
        );
        if let Some(declared) = part.declared {
            finding.also(declared.required.unwrap_or(declared.name), "may be absent");
        }
    }
}

/// An error that is turned into an absence inside the part.
fn swallowed(part: &Part) -> Option<Span> {
    causes(part)
        .into_iter()
        .find_map(|(rule, cause)| match cause {
            Cause::Name(mention, _) if rule == OPTIONAL_KEY_PART.id => Some(mention.span),
            Cause::Name(..) | Cause::Origin(_) | Cause::Generator(_) => None,
        })
}
