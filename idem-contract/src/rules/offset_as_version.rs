//! # offset-as-version
//!
//! The offset of a log as version, and no word on which log it counts in.
//!
//! ## What it does
//!
//! Reports `[ordering] version` that names a field of origin `broker-position`, or a field called
//! `offset` without an origin, where no field of `entity` and no tie-breaker has the origin
//! `log-generation`.
//!
//! ## Why it hurts
//!
//! Offsets count within one log. When the log is built anew they begin at zero again, and every new
//! event is older than the stored version: all of them are dropped as stale, without an error.
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
//! offset = { type = "integer", origin = "broker-position" }
//!
//! [ordering]
//! entity = "order_id"
//! version = "offset"
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
//! offset = { type = "integer", origin = "broker-position" }
//! log_epoch = { type = "integer", origin = "log-generation" }
//!
//! [ordering]
//! entity = ["log_epoch", "order_id"]
//! version = "offset"
//! when_stale = "acknowledge"
//! ```
//!
//! ## Source
//!
//! noelwschneider/kafka-portfolio-project#27: a rebuilt broker began at zero, and new events were
//! dropped as already seen.

use crate::{Check, Contract, Findings, Fixable, Group, Origin, Place, Rule, Setting, Severity};

pub(super) static OFFSET_AS_VERSION: Rule = Rule {
    id: "offset-as-version",
    group: Group::Order,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("offset_as_version.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(version) = contract.ordering.version.given() else {
        return;
    };
    let Some(field) = contract.field(&version.value) else {
        return;
    };
    let positioned = match &field.origin {
        Setting::Absent => is_offset(&field.name.value),
        Setting::Unreadable(_) => false,
        Setting::Given(origin) => origin.value == Origin::BrokerPosition,
    };
    if !positioned || names_the_log(contract) {
        return;
    }
    findings
        .report(
            version.span,
            "ordering.version",
            format!("the version `{}` counts within one log, and nothing says in which", version.value),
            "a rebuilt log begins at zero again, and every new event is dropped as stale",
            "add a field of origin `log-generation` to `entity`, or use a counter of the source as version",
        )
        .also(field.name.span, "a position in a log");
}

fn is_offset(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    last == "offset" || last.ends_with("_offset")
}

/// Also true where a name cannot be followed: then nothing is certain.
fn names_the_log(contract: &Contract) -> bool {
    let entity = match &contract.ordering.entity {
        Setting::Absent => &[][..],
        Setting::Unreadable(_) => return true,
        Setting::Given(entity) => entity.value.as_slice(),
    };
    entity
        .iter()
        .map(|name| name.value.as_str())
        .chain(contract.ordering.tie_breaker.get().map(String::as_str))
        .any(|name| match contract.field(name) {
            None => true,
            Some(field) => match &field.origin {
                Setting::Absent => false,
                Setting::Unreadable(_) => true,
                Setting::Given(origin) => origin.value == Origin::LogGeneration,
            },
        })
}

#[cfg(test)]
mod tests {
    use super::OFFSET_AS_VERSION as RULE;
    use crate::testing::{bad, good};

    fn ordering(fields: &str, version: &str, more: &str) -> String {
        format!(
            "[payload]\ntenant_id = {{ type = \"string\", origin = \"authenticated\" }}\n\
             refund_id = {{ type = \"uuid\", origin = \"source-id\" }}\n\
             order_id = {{ type = \"string\" }}\namount = {{ type = \"integer\" }}\ncurrency = {{ type = \"string\" }}\n{fields}\
             [ordering]\nversion = \"{version}\"\nwhen_stale = \"acknowledge\"\n{more}"
        )
    }

    const OFFSET: &str = "position = { type = \"integer\", origin = \"broker-position\" }\n\
                          epoch = { type = \"integer\", origin = \"log-generation\" }\n";

    #[test]
    fn a_position_wants_to_know_its_log() {
        bad(
            &RULE,
            &ordering(OFFSET, "position", "entity = \"order_id\"\n"),
        );
        good(
            &RULE,
            &ordering(OFFSET, "position", "entity = [\"epoch\", \"order_id\"]\n"),
        );
        good(
            &RULE,
            &ordering(
                OFFSET,
                "position",
                "entity = \"order_id\"\ntie_breaker = \"epoch\"\n",
            ),
        );
    }

    #[test]
    fn a_name_counts_only_where_no_origin_is_stated() {
        let field = |origin: &str| format!("kafka_offset = {{ type = \"integer\"{origin} }}\n");
        bad(
            &RULE,
            &ordering(&field(""), "kafka_offset", "entity = \"order_id\"\n"),
        );
        good(
            &RULE,
            &ordering(
                &field(", origin = \"source-sequence\""),
                "kafka_offset",
                "entity = \"order_id\"\n",
            ),
        );
    }
}
