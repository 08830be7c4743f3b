//! # float-in-key
//!
//! A binary floating-point number is part of the key.
//!
//! ## What it does
//!
//! Reports a key part of type `float`.
//!
//! ## Why it hurts
//!
//! A float has no exact text: `0.1 + 0.2` is not `0.3`, and libraries print the same number with
//! different digits. One value becomes two keys, and two values one.
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
//! weight = { type = "float", origin = "business-id" }
//! [key]
//! fields = ["tenant_id", "refund_id", "weight"]
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
//! weight_grams = { type = "integer", origin = "business-id" }
//! [key]
//! fields = ["tenant_id", "refund_id", "weight_grams"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Source
//!
//! wirecard/paymentSDK-php#610: a change of number output produced long tails of digits, and
//! signatures no longer matched.

use crate::{
    Check, FieldType, Findings, Fix, Fixable, Group, KeyExpr, KeyPlace, Place, Rule, Severity,
    refusal,
};

pub(super) static FLOAT_IN_KEY: Rule = Rule {
    id: "float-in-key",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Attribute],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Ask,
    source: include_str!("float_in_key.rs"),
    check: Check::Key(check),
};

fn check(key: &KeyExpr, findings: &mut Findings<'_>) {
    for part in &key.parts {
        if part.field_type != Some(FieldType::Float) || refusal::is_refused(part) {
            continue;
        }
        let finding = findings.report(
            part.span,
            key.path(part),
            format!("`{}` is a float, which has no exact text", part.name),
            "the same number is written in two ways, and the retry finds no row",
            "write `type = \"integer\"` and count minor units (cents, grams), or `type = \"decimal\"`",
        );
        if let Some(declared) = part.declared {
            finding.also(
                declared.kind.unwrap_or(declared.name),
                "declared as a float",
            );
            if let (KeyPlace::Contract, Some(kind)) = (key.place, declared.kind) {
                finding.fix(Fix::replace(kind, "\"integer\"").ask());
            }
        }
    }
}
