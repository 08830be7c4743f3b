//! # payload-hash-key
//!
//! The key is a digest of a payload with changing fields.
//!
//! ## What it does
//!
//! Reports a key part of origin `content` where the payload has fields that differ between
//! deliveries: times, signatures, attempt counts, fields whose origin is `clock`, `random`,
//! `attempt`, `position` or `environment`.
//!
//! ## Why it hurts
//!
//! If the digest covers one of them, every redelivery has a new key. If it covers none, two equal
//! orders are one operation, and the second is skipped. An id of the event has neither fault.
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
//! digest = { type = "string", origin = "content" }
//! sent_at = { type = "timestamp" }
//! [key]
//! fields = ["tenant_id", "digest"]
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
//! ```
//!
//! ## Source
//!
//! documenso/documenso#3204: a creation time inside each attempt's body left the receiver without
//! one stable field.

use crate::{
    Check, Contract, Findings, Fix, Fixable, Group, Origin, Place, Rule, Severity, ladder, name,
    volatile,
};

pub(super) static PAYLOAD_HASH_KEY: Rule = Rule {
    id: "payload-hash-key",
    group: Group::Key,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::Ask,
    source: include_str!("payload_hash_key.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    for (span, digest) in ladder::key_fields(contract) {
        if digest.origin.get() != Some(&Origin::Content) {
            continue;
        }
        let changing: Vec<_> = contract
            .payload
            .iter()
            .filter(|field| field.name.value != digest.name.value)
            .filter(|field| volatile::reason(field).is_some())
            .collect();
        if changing.is_empty() {
            continue;
        }
        // The key may have an id of the event already: then the digest is one part too many.
        let present = (ladder::key_fields(contract).map(|(_, field)| field)).find(|other| {
            matches!(
                other.origin.get(),
                Some(Origin::SourceId | Origin::StoredBeforeAttempt)
            )
        });
        let better = ladder::discriminators(contract)
            .find(|field| field.origin.get() != Some(&Origin::Content))
            .filter(|_| present.is_none());
        let finding = findings.report(
            span,
            format!("key.fields.{}", digest.name.value),
            format!("`{}` is a digest of a payload with changing fields", digest.name.value),
            "with one of them in the digest no retry is recognised; without them two equal orders are one",
            match (present, better) {
                (Some(id), _) => format!("leave `{}` out: `{}` tells the events apart", digest.name.value, id.name.value),
                (None, Some(field)) => format!("write `{}`, an id of the event", field.name.value),
                (None, None) => "write an id of the event; where there is none, store an intent id when the user starts the action".to_owned(),
            },
        );
        for field in changing {
            finding.also(field.name.span, "differs between deliveries");
        }
        if let Some(field) = better {
            finding.fix(Fix::replace(span, name::quoted(&field.name.value)).ask());
        }
    }
}
