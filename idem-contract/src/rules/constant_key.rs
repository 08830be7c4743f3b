//! # constant-key
//!
//! The key is the same for every event.
//!
//! ## What it does
//!
//! Reports a key none of whose parts comes from the event: literals, constants, an `enum` with one
//! value, the event type or the log alone.
//!
//! ## Why it hurts
//!
//! The first event is done, and every later one is answered with its result.
//!
//! ## Bad
//!
//! ```toml
//! [payload]
//! refund_id = { type = "string", origin = "source-id" }
//! order_id = { type = "string", origin = "business-id" }
//! amount = { type = "integer" }
//! currency = { type = "enum", values = ["EUR", "USD"] }
//! kind = { type = "enum", values = ["refund"], origin = "business-id" }
//! [key]
//! fields = ["kind"]
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
//! kind = { type = "enum", values = ["refund"], origin = "business-id" }
//! [key]
//! fields = ["tenant_id", "kind", "refund_id"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Source
//!
//! hookdeck/outpost#670: with a constant key the first manual retry succeeded and every later one
//! was skipped without a trace.

use crate::{Check, Findings, Fixable, Group, KeyExpr, KeyPlace, Place, Rule, Severity};

pub(super) static CONSTANT_KEY: Rule = Rule {
    id: "constant-key",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Attribute],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("constant_key.rs"),
    check: Check::Key(check),
};

fn check(key: &KeyExpr, findings: &mut Findings<'_>) {
    if !key.is_constant() {
        return;
    }
    let parts: Vec<_> = key
        .parts
        .iter()
        .map(|part| format!("`{}`", part.name))
        .collect();
    let finding = findings.report(
        key.span,
        match key.place {
            KeyPlace::Contract => "key.fields",
            KeyPlace::PreviousRecipe => "key.previous.fields",
            KeyPlace::Attribute => "key",
        },
        format!("the key is the same for every event: {}", parts.join(", ")),
        "the first event is done, and every later one is answered with its result",
        "add the event's own id; where there is none, store an intent id when the user starts the action",
    );
    for declared in key.parts.iter().filter_map(|part| part.declared) {
        finding.also(declared.name, "always the same");
    }
}
