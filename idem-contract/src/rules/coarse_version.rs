//! # coarse-version
//!
//! A timestamp as version, and no word on which of two events in one tick is the newer.
//!
//! ## What it does
//!
//! Reports `[ordering] version` that names a field of type `timestamp` where there is no
//! `tie_breaker`.
//!
//! ## Why it hurts
//!
//! Equal versions are taken for duplicates. Two changes within one tick of the source's clock, often
//! a whole second, have equal versions, and the second change is dropped.
//!
//! ## Bad
//!
//! ```toml
//! [payload]
//! tenant_id = { type = "string", origin = "authenticated" }
//! refund_id = { type = "string", origin = "source-id" }
//! order_id = { type = "string", origin = "business-id" }
//! amount = { type = "decimal" }
//! currency = { type = "enum", values = ["EUR", "USD"] }
//! changed_at = { type = "timestamp" }
//!
//! [ordering]
//! entity = "order_id"
//! version = "changed_at"
//! when_stale = "acknowledge"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [payload]
//! tenant_id = { type = "string", origin = "authenticated" }
//! refund_id = { type = "string", origin = "source-id" }
//! order_id = { type = "string", origin = "business-id" }
//! amount = { type = "decimal" }
//! currency = { type = "enum", values = ["EUR", "USD"] }
//! changed_at = { type = "timestamp" }
//!
//! [ordering]
//! entity = "order_id"
//! version = "changed_at"
//! tie_breaker = "refund_id"
//! when_stale = "acknowledge"
//! ```
//!
//! ## Source
//!
//! AmoabaKelvin/ishortn.ink#336: equal versions needed a rule of their own.

use super::arrival_time_as_version;
use crate::{Check, Contract, FieldType, Findings, Fixable, Group, Place, Rule, Severity};

pub(super) static COARSE_VERSION: Rule = Rule {
    id: "coarse-version",
    group: Group::Order,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("coarse_version.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(version) = contract.ordering.version.given() else {
        return;
    };
    let Some(kind) = contract
        .field(&version.value)
        .and_then(|field| field.kind.given())
    else {
        return;
    };
    // A tie-breaker does not make a version of an arrival time.
    if kind.value != FieldType::Timestamp
        || !contract.ordering.tie_breaker.is_absent()
        || arrival_time_as_version::is_arrival(contract, &version.value)
    {
        return;
    }
    findings
        .report(
            version.span,
            "ordering.version",
            format!("the version `{}` is a timestamp without a tie-breaker", version.value),
            "two changes within one tick have equal versions, and the second is dropped as a duplicate",
            "write `tie_breaker = \"…\"` with a field that tells the two apart, or use a counter of the source as version",
        )
        .also(kind.span, "a moment, as fine as the source's clock");
}

#[cfg(test)]
mod tests {
    use super::COARSE_VERSION as RULE;
    use crate::testing::{bad, good};

    fn ordering(fields: &str, version: &str, more: &str) -> String {
        format!(
            "[payload]\ntenant_id = {{ type = \"string\", origin = \"authenticated\" }}\n\
             refund_id = {{ type = \"uuid\", origin = \"source-id\" }}\n\
             order_id = {{ type = \"string\" }}\namount = {{ type = \"integer\" }}\ncurrency = {{ type = \"string\" }}\n{fields}\
             [ordering]\nversion = \"{version}\"\nwhen_stale = \"acknowledge\"\n{more}"
        )
    }

    #[test]
    fn a_timestamp_wants_a_tie_breaker() {
        let fields = "changed_at = { type = \"timestamp\" }\n";
        bad(
            &RULE,
            &ordering(fields, "changed_at", "entity = \"order_id\"\n"),
        );
        good(
            &RULE,
            &ordering(
                fields,
                "changed_at",
                "entity = \"order_id\"\ntie_breaker = \"refund_id\"\n",
            ),
        );
    }

    #[test]
    fn an_arrival_time_is_left_to_its_own_rule() {
        let fields = "received_at = { type = \"timestamp\" }\n";
        good(
            &RULE,
            &ordering(fields, "received_at", "entity = \"order_id\"\n"),
        );
    }

    #[test]
    fn a_counter_does_not() {
        good(
            &RULE,
            &ordering(
                "revision = { type = \"integer\" }\n",
                "revision",
                "entity = \"order_id\"\n",
            ),
        );
    }
}
