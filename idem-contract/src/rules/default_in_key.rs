//! # default-in-key
//!
//! A constant stands in for a missing part of the key.
//!
//! ## What it does
//!
//! Reports a key part whose field has a `default`. In an attribute it reports `unwrap_or`,
//! `unwrap_or_default`, `map_or` and values that stand for nothing, such as a nil UUID. A default
//! that is a generator is `random-in-key` or `clock-in-key`.
//!
//! ## Why it hurts
//!
//! Every event without the value gets the same stand-in and so the same key. The first is done, the
//! others are answered with its result.
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
//! region = { type = "string", origin = "business-id", default = "eu" }
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
//! celery/kombu#431 and ProgixDev/incacook-app#36: an absent id became an empty text or a made-up
//! one.

use crate::refusal::{Cause, causes};
use crate::{Check, Findings, Fixable, Group, KeyExpr, Mention, Place, Rule, Severity};

pub(super) static DEFAULT_IN_KEY: Rule = Rule {
    id: "default-in-key",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Attribute],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("default_in_key.rs"),
    check: Check::Key(check),
};

fn check(key: &KeyExpr, findings: &mut Findings<'_>) {
    for part in &key.parts {
        let name = &part.name;
        let causes = causes(part);
        let (span, message) = match (&part.default, stand_in(&causes)) {
            (Some(default), _) if causes.is_empty() => {
                (part.span, format!("`{name}` has a stand-in: `{default}`"))
            }
            (_, Some(mention)) => (
                mention.span,
                format!(
                    "`{}` puts a constant in the place of a missing part",
                    mention.name
                ),
            ),
            _ => continue,
        };
        let finding = findings.report(
            span,
            key.path(part),
            message,
            "all events without the value share one key, and all but the first are taken for repetitions",
            "write a field that every event has and no default, and refuse events without it",
        );
        if let Some(declared) = part.declared {
            finding.also(
                declared.default.unwrap_or(declared.name),
                "stands in for a missing value",
            );
        }
    }
}

fn stand_in<'a>(causes: &[(&'static str, Cause<'a>)]) -> Option<&'a Mention> {
    causes.iter().find_map(|(rule, cause)| match cause {
        Cause::Name(mention, _) if *rule == DEFAULT_IN_KEY.id => Some(*mention),
        Cause::Name(..) | Cause::Origin(_) | Cause::Generator(_) => None,
    })
}
