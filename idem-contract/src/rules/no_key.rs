//! # no-key
//!
//! A workflow with effects and no key.
//!
//! ## What it does
//!
//! Reports a contract with effects whose `[key]` names no fields.
//!
//! ## Why it hurts
//!
//! Without a key two deliveries are two operations, and each effect happens once for each delivery.
//!
//! ## Bad
//!
//! ```toml
//! # without key
//! [payload]
//! tenant_id = { type = "string", origin = "authenticated" }
//! refund_id = { type = "string", origin = "source-id" }
//! order_id = { type = "string", origin = "business-id" }
//! amount = { type = "integer" }
//! currency = { type = "enum", values = ["EUR", "USD"] }
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
//! idem's first question: what makes two deliveries the same operation?

use crate::{
    Check, Contract, Findings, Fixable, Group, Place, Rule, Setting, Severity, ladder, name,
};

pub(super) static NO_KEY: Rule = Rule {
    id: "no-key",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("no_key.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let (span, message) = match &contract.key.fields {
        Setting::Unreadable(_) => return,
        Setting::Absent => (
            contract.table_anchor(contract.key.header),
            "the workflow has effects and no key",
        ),
        Setting::Given(fields) if fields.value.is_empty() => (
            fields.span,
            "the key of a workflow with effects has no fields",
        ),
        Setting::Given(_) => return,
    };
    if contract.effects.is_empty() {
        return;
    }
    let names: Vec<String> = ladder::scope(contract)
        .into_iter()
        .chain(ladder::discriminators(contract).next())
        .map(|field| name::quoted(&field.name.value))
        .collect();
    let help = if ladder::discriminators(contract).next().is_some() {
        format!("write `[key] fields = [{}]`", names.join(", "))
    } else {
        "declare the event's own id in `[payload]` with its `origin` and write it into `[key] fields`; where there is none, store an intent id when the user starts the action".to_owned()
    };
    findings.report(
        span,
        "key.fields",
        message,
        "two deliveries of one event are then two operations, and each does the work",
        help,
    );
}
