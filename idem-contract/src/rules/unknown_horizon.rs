//! # unknown-horizon
//!
//! Nobody has said how long the event may come again, so the window is a guess.
//!
//! ## What it does
//!
//! Reports a webhook, queue or stream without `redelivers_for` whose `source` is not named, not in
//! the source table, or there without a redelivery time.
//!
//! ## Why it hurts
//!
//! The window has to outlast the last redelivery. Without that number it cannot be checked, and a
//! window that is too short shows only on the day after an outage, when the old events come again.
//!
//! ## Bad
//!
//! ```toml
//! [trigger]
//! kind = "webhook"
//! source = "our-shop"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [trigger]
//! kind = "webhook"
//! source = "our-shop"
//! redelivers_for = "3d"
//! ```
//!
//! ## Source
//!
//! Tracer-Cloud/opensre#5691: the key must be kept longer than the worst replay distance.

use crate::timing::{self, text};
use crate::{
    Check, Contract, Findings, Fixable, Group, Place, Rule, Setting, Severity, TriggerKind,
};

pub(super) static UNKNOWN_HORIZON: Rule = Rule {
    id: "unknown-horizon",
    group: Group::Window,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("unknown_horizon.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let trigger = &contract.trigger;
    let Some(kind) = trigger.kind.given() else {
        return;
    };
    let redelivered = matches!(
        kind.value,
        TriggerKind::Webhook | TriggerKind::Queue | TriggerKind::Stream
    );
    if !redelivered
        || !timing::claims(contract)
        || !trigger.redelivers_for.is_absent()
        || matches!(trigger.source, Setting::Unreadable(_))
    {
        return;
    }
    let known = timing::known_source(contract);
    if known.is_some_and(|source| source.redelivers_for.is_some()) {
        return;
    }
    let (span, message) = match (trigger.source.given(), known) {
        (Some(name), Some(source)) => (
            name.span,
            format!(
                "{} documents no redelivery time that holds for everyone, and the contract states none",
                source.title
            ),
        ),
        (Some(name), None) => (
            name.span,
            format!(
                "`{}` is not in the source table, and the contract states no redelivery time",
                name.value
            ),
        ),
        (None, _) => (
            kind.span,
            format!("a {} without a stated redelivery time", kind.value.as_str()),
        ),
    };
    let longest = known
        .and_then(|source| source.redrive_for)
        .map_or_else(|| "3d".to_owned(), |fact| text(fact.value));
    findings.report(
        span,
        "trigger.redelivers_for",
        message,
        "a window that is shorter than the last redelivery does the work twice, and cannot be noticed here",
        format!("write `redelivers_for = \"{longest}\"` in `[trigger]`: the latest moment after the first delivery at which it may come again"),
    );
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_HORIZON as RULE;
    use crate::testing::{bad, good};

    fn trigger(kind: &str, more: &str) -> String {
        format!("[trigger]\nkind = \"{kind}\"\n{more}")
    }

    #[test]
    fn a_source_that_nobody_knows_has_to_say_its_time() {
        for kind in ["webhook", "queue", "stream"] {
            bad(&RULE, &trigger(kind, ""));
            bad(&RULE, &trigger(kind, "source = \"our-shop\"\n"));
            good(
                &RULE,
                &trigger(kind, "source = \"our-shop\"\nredelivers_for = \"3d\"\n"),
            );
        }
    }

    #[test]
    fn the_table_speaks_for_a_source_it_knows() {
        good(&RULE, &trigger("webhook", "source = \"stripe\"\n"));
        good(&RULE, &trigger("webhook", "source = \"github\"\n"));
        let found = bad(&RULE, &trigger("queue", "source = \"rabbitmq\"\n"));
        assert!(
            found[0]
                .message
                .starts_with("RabbitMQ documents no redelivery time")
        );
    }

    #[test]
    fn who_is_not_redelivered_needs_no_horizon() {
        for kind in ["http", "schedule", "manual"] {
            good(&RULE, &trigger(kind, ""));
        }
    }
}
