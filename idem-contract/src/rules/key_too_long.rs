//! # key-too-long
//!
//! The key text can exceed 255 bytes, and is then stored as a digest.
//!
//! ## What it does
//!
//! Adds up what the contract declares: the names of workflow and consumer, and for each part what
//! its type can need (a UUID 36 bytes, an integer 20, an enum its longest word). Texts count as one
//! byte, since nothing declares their length. Speaks when the sum is over 255.
//!
//! ## Why it hurts
//!
//! A digest is as safe a key, but nobody can read it: in the table, in logs and in a dead letter it
//! no longer says which order it is about.
//!
//! ## Bad
//!
//! ```toml
//! [payload]
//! a = { type = "uuid", origin = "source-id" }
//! b = { type = "uuid", origin = "source-id" }
//! c = { type = "uuid", origin = "source-id" }
//! d = { type = "uuid", origin = "source-id" }
//! e = { type = "uuid", origin = "source-id" }
//! f = { type = "uuid", origin = "source-id" }
//! g = { type = "uuid", origin = "source-id" }
//!
//! [key]
//! fields = ["a", "b", "c", "d", "e", "f", "g"]
//!
//! [request]
//! hash = "none"
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
//! kubernetes-sigs/aws-ebs-csi-driver#1038: a name as a token was longer than the API allows.
//! triggerdotdev/trigger.dev#3560: long keys failed now and then, by how well they compressed.

use crate::{
    Check, Contract, Field, FieldType, Findings, Fixable, Group, MAX_KEY_BYTES, Place, Rule,
    Severity, ladder,
};

pub(super) static KEY_TOO_LONG: Rule = Rule {
    id: "key-too-long",
    group: Group::Key,
    severity: Severity::Info,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("key_too_long.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(fields) = contract.key.fields.given() else {
        return;
    };
    let mut length = contract.workflow.get().map_or(1, String::len)
        + contract
            .trigger
            .consumer
            .get()
            .map_or(0, |name| name.len() + 1)
        + ":v".len()
        + digits(contract.version.or(1));
    for (_, field) in ladder::key_fields(contract) {
        length += 1 + bytes(field);
    }
    if length <= MAX_KEY_BYTES {
        return;
    }
    findings.report(
        fields.span,
        "key.fields",
        format!("the key text can need {length} bytes, and {MAX_KEY_BYTES} are stored as they are"),
        "a longer key is stored as a digest: nobody can read which operation it is",
        "write fewer parts: one id of the operation is enough beside the tenant",
    );
}

/// What the declared type can need at most; for a type without a declared length, what it needs at least.
fn bytes(field: &Field) -> usize {
    match field.kind.get() {
        Some(FieldType::Uuid) => 36,
        Some(FieldType::Integer) => "-9223372036854775808".len(),
        Some(FieldType::Boolean) => "false".len(),
        Some(FieldType::Date) => "2026-12-31".len(),
        Some(FieldType::Timestamp) => "2026-12-31T23%3A59%3A59Z".len(),
        Some(FieldType::Enum) => field
            .values
            .get()
            .and_then(|values| values.iter().map(|value| encoded(&value.value)).max())
            .unwrap_or(1),
        Some(FieldType::Bytes) => 2,
        Some(
            FieldType::String
            | FieldType::Decimal
            | FieldType::Float
            | FieldType::Object
            | FieldType::Array,
        )
        | None => 1,
    }
}

/// The length of a word in key text: `%`, `:` and what is not printable ASCII takes three bytes.
fn encoded(word: &str) -> usize {
    word.bytes()
        .map(|byte| match byte {
            b'%' | b':' => 3,
            b'!'..=b'~' => 1,
            _ => 3,
        })
        .sum()
}

fn digits(number: u32) -> usize {
    number.to_string().len()
}
