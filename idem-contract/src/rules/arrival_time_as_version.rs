//! # arrival-time-as-version
//!
//! The version is the time at which an event reached us: the last to arrive always wins.
//!
//! ## What it does
//!
//! Reports `[ordering] version` that names a field of origin `clock`, or one whose name says when the
//! event was received or processed (`received_at`, `processed_at`, `ingest_time`, …).
//!
//! ## Why it hurts
//!
//! The guard is to keep an old event from overwriting a newer one. By its time of arrival a delayed
//! old event is the newest of all, so it passes. Only the source knows the order.
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
//! received_at = { type = "timestamp" }
//!
//! [ordering]
//! entity = "order_id"
//! version = "received_at"
//! tie_breaker = "refund_id"
//! when_stale = "acknowledge"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [ordering]
//! entity = "order_id"
//! version = "sequence"
//! when_stale = "acknowledge"
//! ```
//!
//! ## Source
//!
//! Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", 1978.

use crate::{Check, Contract, Findings, Fixable, Group, Origin, Place, Rule, Severity, Spanned};

pub(super) static ARRIVAL_TIME_AS_VERSION: Rule = Rule {
    id: "arrival-time-as-version",
    group: Group::Order,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("arrival_time_as_version.rs"),
    check: Check::Contract(check),
};

/// What happens to an event on our side of the wire. `delivered`, `stored` and `sent` are not here:
/// a parcel is delivered too, and the source may well know when.
const ARRIVALS: &[&str] = &[
    "arrival",
    "arrived",
    "claim",
    "claimed",
    "consume",
    "consumed",
    "current",
    "ingest",
    "ingested",
    "ingestion",
    "process",
    "processed",
    "processing",
    "receipt",
    "receive",
    "received",
    "receiving",
];

/// What makes such a word a time.
const TIMES: &[&str] = &[
    "at",
    "time",
    "ts",
    "ms",
    "timestamp",
    "on",
    "millis",
    "date",
];

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(version) = contract.ordering.version.given() else {
        return;
    };
    if !is_arrival(contract, &version.value) {
        return;
    }
    let clock = origin(contract, &version.value).filter(|origin| origin.value == Origin::Clock);
    let finding = findings.report(
        version.span,
        "ordering.version",
        format!(
            "`{}` says when the event reached us, not when it happened",
            version.value
        ),
        "a delayed old event is the last to arrive, so it passes as the newest",
        "name a field that the source counts or stamps: `version = \"sequence\"` with origin `source-sequence`",
    );
    if let Some(origin) = clock {
        finding.also(origin.span, "read from our clock");
    }
    finding.race(&[
        "worker A: gets the old event, fails, and leaves it to a retry",
        "worker B: gets the new event and stores its time of arrival as the version",
        "worker A: gets the old event again, with a later time of arrival, and overwrites the new one",
    ]);
}

/// Whether the field is the time at which an event reached us.
pub(super) fn is_arrival(contract: &Contract, name: &str) -> bool {
    match origin(contract, name) {
        // An origin that the author states outweighs a name.
        Some(origin) => origin.value == Origin::Clock,
        None => names_arrival(name),
    }
}

fn origin<'c>(contract: &'c Contract, name: &str) -> Option<&'c Spanned<Origin>> {
    contract.field(name)?.origin.given()
}

/// `received_at`, `processingTime`, `event.ingest_ts`, `now`, `current_time`.
fn names_arrival(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    let words = words(last);
    if matches!(&words[..], [word] if word == "now" || word == "today") {
        return true;
    }
    let mut arrives = false;
    for word in &words {
        if arrives && TIMES.contains(&word.as_str()) {
            return true;
        }
        arrives = ARRIVALS.contains(&word.as_str());
    }
    false
}

fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in name.chars() {
        let starts = letter.is_uppercase() || matches!(letter, '_' | '-');
        if starts && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{ARRIVAL_TIME_AS_VERSION as RULE, names_arrival};
    use crate::testing::{bad, good};

    #[test]
    fn a_name_that_tells_of_our_side_is_an_arrival() {
        for name in [
            "received_at",
            "processed_ts",
            "ingestTime",
            "meta.arrival_time",
            "received-on",
            "now",
            "currentTimestamp",
        ] {
            assert!(names_arrival(name), "{name}");
        }
    }

    #[test]
    fn a_name_that_tells_of_the_event_is_not() {
        for name in [
            "occurred_at",
            "updated_at",
            "delivered_at",
            "sequence",
            "received_amount",
            "receipt_number",
            "current_revision",
            "nowhere",
            "",
            ".",
        ] {
            assert!(!names_arrival(name), "{name}");
        }
    }

    const OTHERS: &str = "[payload]\ntenant_id = { type = \"string\", origin = \"authenticated\" }\n\
                          refund_id = { type = \"uuid\", origin = \"source-id\" }\n\
                          order_id = { type = \"string\" }\namount = { type = \"integer\" }\n\
                          currency = { type = \"string\" }\n";

    fn ordering(name: &str, field: &str) -> String {
        format!(
            "{OTHERS}{name} = {field}\n[ordering]\nentity = \"order_id\"\nversion = \"{name}\"\nwhen_stale = \"acknowledge\"\n"
        )
    }

    #[test]
    fn a_clock_or_a_name_of_arrival_is_no_version() {
        bad(
            &RULE,
            &ordering("version", "{ type = \"timestamp\", origin = \"clock\" }"),
        );
        bad(&RULE, &ordering("received_at", "{ type = \"timestamp\" }"));
    }

    #[test]
    fn an_origin_outweighs_a_name() {
        good(
            &RULE,
            &ordering(
                "received_at",
                "{ type = \"timestamp\", origin = \"business-id\" }",
            ),
        );
        good(&RULE, &ordering("updated_at", "{ type = \"timestamp\" }"));
    }
}
