//! # known-unstable-id
//!
//! The source documents that this id does not recognise an event.
//!
//! ## What it does
//!
//! Looks the key's parts up among the identifiers that the table of sources knows for `[trigger]
//! source`, and reports one that differs on each delivery, comes again for another event, or is
//! shared by events. Names that are refused from any source, such as `receipt_handle`, are left to
//! their rules.
//!
//! ## Why it hurts
//!
//! The id looks right in every test, because nothing is delivered twice there. With the first retry
//! it is another one, or the same one for all events of a subscription.
//!
//! ## Bad
//!
//! ```toml
//! [trigger]
//! kind = "webhook"
//! source = "cybersource"
//! redelivers_for = "3d"
//! dead_letter_for = "14d"
//!
//! [payload]
//! tenant_id = { type = "string", origin = "authenticated" }
//! refund_id = { type = "string", origin = "source-id" }
//! order_id = { type = "string", origin = "business-id" }
//! amount = { type = "integer" }
//! currency = { type = "enum", values = ["EUR", "USD"] }
//! transactionTraceId = { type = "string", origin = "source-id" }
//! [key]
//! fields = ["tenant_id", "transactionTraceId"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [trigger]
//! kind = "webhook"
//! source = "cybersource"
//! redelivers_for = "3d"
//! dead_letter_for = "14d"
//!
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
//! The documentation of each source, with the day of reading, in the table of sources.

use crate::sources::Stability;
use crate::{
    Check, Contract, Findings, Fixable, Group, Place, Rule, Severity, key_expr, ladder, refusal,
    timing,
};

pub(super) static KNOWN_UNSTABLE_ID: Rule = Rule {
    id: "known-unstable-id",
    group: Group::Key,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("known_unstable_id.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(source) = timing::known_source(contract).filter(|source| !source.ids.is_empty())
    else {
        return;
    };
    let Some(key) = key_expr(contract) else {
        return;
    };
    for part in &key.parts {
        let Some(id) = source.id(&part.name).filter(|id| !id.stability.holds()) else {
            continue;
        };
        if refusal::is_refused(part) || ladder::is_broker_position(part) {
            continue;
        }
        let better: Vec<String> = source
            .ids
            .iter()
            .filter(|id| id.stability.holds())
            .map(|id| format!("`{}`", id.field))
            .collect();
        let finding = findings.report(
            part.span,
            key.path(part),
            format!("`{}` of {} is no id of the event: {}", part.name, source.title, id.note),
            match id.stability {
                Stability::PerDelivery => "a retry carries another one and finds no row",
                Stability::Stable | Stability::Reused | Stability::NotUnique => {
                    "two events carry the same one, and the second is skipped"
                }
            },
            if better.is_empty() {
                format!("write an id of what the event is about, which each delivery repeats; see {} (read {})", id.page, id.checked)
            } else {
                format!("write {}; see {} (read {})", better.join(" or "), id.page, id.checked)
            },
        );
        if let Some(given) = contract.trigger.source.given() {
            finding.also(given.span, "the source");
        }
    }
}
