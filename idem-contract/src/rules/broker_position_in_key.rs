//! # broker-position-in-key
//!
//! Topic, partition and offset name a place in a log, not an event.
//!
//! ## What it does
//!
//! Reports key parts of origin `broker-position`, and parts that are named `partition` or `offset`:
//! as an error where topic, partition and offset are not all there, as a warning where they are and
//! no part of origin `log-generation` says which log they count in.
//!
//! ## Why it hurts
//!
//! The coordinates are stable for one record as long as the log lives. When the topic is made anew,
//! mirrored or restored, offsets begin at zero again and meet the rows of before: new events are
//! dropped as already done. A partition or an offset alone is shared by many records from the first
//! day.
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
//! topic = { type = "string", origin = "broker-position" }
//! partition = { type = "integer", origin = "broker-position" }
//! offset = { type = "integer", origin = "broker-position" }
//! [key]
//! fields = ["tenant_id", "topic", "partition", "offset"]
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
//! cluster_id = { type = "string", origin = "log-generation" }
//! topic = { type = "string", origin = "broker-position" }
//! partition = { type = "integer", origin = "broker-position" }
//! offset = { type = "integer", origin = "broker-position" }
//! [key]
//! fields = ["tenant_id", "cluster_id", "topic", "partition", "offset"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Source
//!
//! noelwschneider/kafka-portfolio-project#27: after a rebuild of the broker's storage new events
//! collided with old coordinates, and only a debug line said so.

use crate::{
    Check, Findings, Fixable, Group, KeyExpr, Origin, Part, Place, Rule, Severity, ladder, name,
};

pub(super) static BROKER_POSITION_IN_KEY: Rule = Rule {
    id: "broker-position-in-key",
    group: Group::Key,
    severity: Severity::Warn,
    places: &[Place::Contract, Place::Attribute],
    core: false,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("broker_position_in_key.rs"),
    check: Check::Key(check),
};

fn check(key: &KeyExpr, findings: &mut Findings<'_>) {
    let positions: Vec<&Part> = key
        .parts
        .iter()
        .filter(|part| ladder::is_broker_position(part))
        .collect();
    let Some(first) = positions.first() else {
        return;
    };
    let missing = missing(&positions);
    let generation = key
        .parts
        .iter()
        .any(|part| part.origin == Some(Origin::LogGeneration));
    if missing.is_empty() && generation {
        return;
    }
    let names: Vec<_> = positions
        .iter()
        .map(|part| format!("`{}`", part.name))
        .collect();
    let names = names.join(", ");
    let finding = if missing.is_empty() {
        findings.report(
            first.span,
            key.path(first),
            format!("{names} name a place in a log, and nothing says in which one"),
            "a topic that is made anew counts from zero: new events meet old rows and are dropped",
            "add a part of origin `log-generation` (the cluster's or topic's id), or write the event's own id",
        )
    } else {
        findings.report(
            first.span,
            key.path(first),
            format!("{names} without {}: many records share that", missing.join(" and ")),
            "two records of different places get one key, and the second is dropped",
            "write the event's own id; or topic, partition and offset together with a part of origin `log-generation`",
        )
    };
    for part in &positions[1..] {
        finding.also(part.span, "another coordinate");
    }
    if !missing.is_empty() {
        finding.severity(Severity::Error);
    }
}

/// The coordinates that are not there. A stream whose sequence runs over all of it has no partitions.
fn missing(positions: &[&Part]) -> Vec<&'static str> {
    let has = |words: &[&str]| {
        positions
            .iter()
            .flat_map(|part| {
                name::plain(&part.name)
                    .split('_')
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            })
            .any(|word| words.contains(&word.as_str()))
    };
    let whole_stream = positions.iter().any(|part| {
        matches!(
            name::plain(&part.name).as_ref(),
            "stream_sequence" | "lsn" | "gtid"
        )
    });
    // Coordinates of a broker with other words are taken at their word when there are three.
    if positions.len() >= 3 {
        return Vec::new();
    }
    let mut missing = Vec::new();
    if !has(&["topic", "stream", "queue", "log", "lsn", "gtid"]) {
        missing.push("a topic");
    }
    if !whole_stream && !has(&["partition", "shard", "ledger"]) {
        missing.push("a partition");
    }
    if !whole_stream && !has(&["offset", "sequence", "number", "entry", "position"]) {
        missing.push("an offset");
    }
    missing
}
