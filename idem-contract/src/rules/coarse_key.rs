//! # coarse-key
//!
//! The key names a thing or a person, but not the operation.
//!
//! ## What it does
//!
//! Speaks where no part has an origin that tells operations apart (`source-id`,
//! `stored-before-attempt`, `source-sequence`, `content`), and reports
//!
//!  - several `events` in `[trigger]` and no part of origin `event-type`;
//!  - `repeats` (for a schedule always) and no date or other business part that names the occasion;
//!  - a key of the tenant alone;
//!  - a key of booleans, enums and the name of the log alone, beside the tenant.
//!
//! ## Why it hurts
//!
//! The second operation on the same thing finds the first one's row and is skipped: the second
//! partial refund of an order, the cancellation after the payment, this month's invoice. It is
//! answered with success, so nobody notices.
//!
//! The way out is an intent id, made and stored when the user starts the action. It is never a time
//! or a random part: with those nothing is recognised at all.
//!
//! ## Bad
//!
//! ```toml
//! [trigger]
//! kind = "webhook"
//! redelivers_for = "3d"
//! dead_letter_for = "14d"
//! events = ["order.paid", "order.cancelled"]
//!
//! [payload]
//! tenant_id = { type = "string", origin = "authenticated" }
//! refund_id = { type = "string", origin = "source-id" }
//! order_id = { type = "string", origin = "business-id" }
//! amount = { type = "integer" }
//! currency = { type = "enum", values = ["EUR", "USD"] }
//!
//! [key]
//! fields = ["tenant_id", "order_id"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [trigger]
//! kind = "webhook"
//! redelivers_for = "3d"
//! dead_letter_for = "14d"
//! events = ["order.paid", "order.cancelled"]
//!
//! [payload]
//! tenant_id = { type = "string", origin = "authenticated" }
//! refund_id = { type = "string", origin = "source-id" }
//! order_id = { type = "string", origin = "business-id" }
//! amount = { type = "integer" }
//! currency = { type = "enum", values = ["EUR", "USD"] }
//! event = { type = "string", origin = "event-type" }
//! [key]
//! fields = ["tenant_id", "order_id", "event"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Source
//!
//! taskforcesh/bullmq#1337: a queue keyed by user ignored every later job.
//! Adyen/adyen-shopware6#248: refunds keyed by the order lost the second partial one.
//! mozilla/fxa#14700: the minute in the key was an attempt to mend this, and what was needed was an
//! intent id.

use crate::{
    Check, Contract, FieldType, Findings, Fix, Fixable, Group, KeyExpr, Origin, Part, Place, Rule,
    Severity, Span, TriggerKind, key_expr, ladder, name, refusal,
};

pub(super) static COARSE_KEY: Rule = Rule {
    id: "coarse-key",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Ask,
    source: include_str!("coarse_key.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    if distinguishes(contract) {
        return;
    }
    let Some(key) = key_expr(contract) else {
        return;
    };
    // A part that another rule refuses leaves nothing to conclude about the rest.
    let unclear = key
        .parts
        .iter()
        .any(|part| part.declared.is_none() || part.origin.is_none() || refusal::is_refused(part));
    if key.parts.is_empty() || unclear || key.is_constant() {
        return;
    }
    let Some(coarse) = coarse(contract, &key) else {
        return;
    };
    let finding = findings.report(
        key.span,
        "key.fields",
        coarse.message,
        coarse.why,
        format!(
            "store an intent id when the user starts the action and write it into the key{}",
            coarse.or
        ),
    );
    if let Some((span, label)) = coarse.second {
        finding.also(span, label);
    }
    for part in &key.parts {
        if let Some(declared) = part.declared {
            finding.also(
                declared.origin.unwrap_or(declared.name),
                format!("`{}` {}", part.name, role(contract, part)),
            );
        }
    }
    let last = key.parts.last().map(|part| part.span.end);
    if let (Some(field), Some(last)) = (remedy(contract, coarse.wants_event_type), last) {
        finding.fix(Fix::insert(last, format!(", {}", name::quoted(field))).ask());
    }
}

struct Coarse {
    message: String,
    why: &'static str,
    or: &'static str,
    second: Option<(Span, String)>,
    wants_event_type: bool,
}

/// Whether a part tells one operation from another all by itself.
fn distinguishes(contract: &Contract) -> bool {
    ladder::key_fields(contract).any(|(_, field)| {
        // A place in a log is one record; what it lacks, `broker-position-in-key` says.
        (field.origin.get()).is_some_and(|&origin| {
            ladder::discriminates(origin) || origin == Origin::BrokerPosition
        })
    })
}

fn coarse(contract: &Contract, key: &KeyExpr) -> Option<Coarse> {
    if key
        .parts
        .iter()
        .all(|part| ladder::is_scope(contract, part))
    {
        return Some(Coarse {
            message: "the key is the tenant alone".to_owned(),
            why: "the tenant's first operation is done, and every later one is answered with its result",
            or: ", or the event's own id",
            second: None,
            wants_event_type: false,
        });
    }
    let words_only = key.parts.iter().all(|part| {
        ladder::is_scope(contract, part)
            || matches!(part.origin, Some(Origin::EventType | Origin::LogGeneration))
            || matches!(part.field_type, Some(FieldType::Boolean | FieldType::Enum))
    });
    if words_only {
        return Some(Coarse {
            message:
                "the key has a handful of values: booleans, enums, event types and logs tell no two events apart"
                    .to_owned(),
            why: "after the first few operations every new one finds an old row and is skipped",
            or: ", or the event's own id",
            second: None,
            wants_event_type: false,
        });
    }
    events(contract, key).or_else(|| repeats(contract, key))
}

fn events(contract: &Contract, key: &KeyExpr) -> Option<Coarse> {
    let events = contract.trigger.events.given()?;
    let typed = key
        .parts
        .iter()
        .any(|part| part.origin == Some(Origin::EventType));
    if events.value.len() < 2 || typed {
        return None;
    }
    Some(Coarse {
        message: format!(
            "{} event types share one key: nothing in it says which event this is",
            events.value.len()
        ),
        why: "the second event of the same thing finds the first one's row and is skipped",
        or: "; or add the event type as a part of origin `event-type`",
        second: Some((events.span, "these events meet in one key".to_owned())),
        wants_event_type: true,
    })
}

fn repeats(contract: &Contract, key: &KeyExpr) -> Option<Coarse> {
    let trigger = &contract.trigger;
    let second = match (&trigger.repeats.given(), &trigger.kind.given()) {
        (_, Some(kind)) if kind.value == TriggerKind::Schedule => {
            (kind.span, "a schedule comes again".to_owned())
        }
        (Some(repeats), _) if repeats.value => {
            (repeats.span, "the same thing may come again".to_owned())
        }
        _ => return None,
    };
    let facts: Vec<&Part> = key
        .parts
        .iter()
        .filter(|part| part.origin == Some(Origin::BusinessId) && !ladder::is_scope(contract, part))
        .filter(|part| !matches!(part.field_type, Some(FieldType::Boolean | FieldType::Enum)))
        .collect();
    if facts.len() >= 2 || facts.iter().any(|part| names_an_occasion(part)) {
        return None;
    }
    Some(Coarse {
        message: "the key names the thing and not the occasion".to_owned(),
        why: "when the thing comes again, its new operation finds the old row and is skipped",
        or: "; or add the business date or period the work is for, with `origin = \"business-id\"`",
        second: Some(second),
        wants_event_type: false,
    })
}

/// A date, or a word for a stretch of the calendar or for one of a series.
fn names_an_occasion(part: &Part) -> bool {
    const OCCASIONS: &[&str] = &[
        "cycle",
        "date",
        "day",
        "hour",
        "instalment",
        "installment",
        "interval",
        "month",
        "occasion",
        "occurrence",
        "period",
        "quarter",
        "round",
        "season",
        "slot",
        "term",
        "week",
        "year",
    ];
    matches!(
        part.field_type,
        Some(FieldType::Date | FieldType::Timestamp)
    ) || name::plain(&part.name)
        .split('_')
        .any(|word| OCCASIONS.contains(&word))
}

fn role(contract: &Contract, part: &Part) -> &'static str {
    match part.origin {
        _ if ladder::is_scope(contract, part) => "says for whom",
        Some(Origin::EventType) => "says which kind of event",
        Some(Origin::LogGeneration) => "says which log",
        _ => "names the thing",
    }
}

/// A declared field that would tell the operations apart.
fn remedy(contract: &Contract, event_type: bool) -> Option<&str> {
    let typed = contract
        .payload
        .iter()
        .find(|field| event_type && field.origin.get() == Some(&Origin::EventType));
    typed
        .or_else(|| ladder::discriminators(contract).next())
        .map(|field| field.name.value.as_str())
}
