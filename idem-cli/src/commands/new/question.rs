//! Every decision of a contract, once: its option, whether it is still open, and how it is asked.

use idem_contract::{Change, EffectKind, FieldType, Origin, TriggerKind};

use super::ask::Ask;
use super::spec::{EffectSpec, FieldSpec};
use super::{Args, needs_horizon};
use crate::problem::Problem;

/// One decision.
struct Question {
    /// The option that answers it, with an example.
    option: &'static str,
    /// Whether it has to be answered and is not.
    is_open: fn(&Args) -> bool,
    /// Asks a person.
    ask: fn(&mut Args, &mut dyn Ask) -> Result<(), Problem>,
}

static QUESTIONS: &[Question] = &[
    Question {
        option: "--kind webhook",
        is_open: |args| args.kind.is_none(),
        ask: ask_kind,
    },
    Question {
        option: "--owner team-payments",
        is_open: |args| args.owner.is_none(),
        ask: |args, person| {
            args.owner =
                Some(person.text("Who is paged?", "a team, such as team-payments", None)?);
            Ok(())
        },
    },
    Question {
        option: "--summary \"Refund a paid order once.\"",
        is_open: |args| args.summary.is_none(),
        ask: |args, person| {
            args.summary = Some(person.text(
                "What does it do?",
                "one sentence: what happens once, however often the event comes",
                None,
            )?);
            Ok(())
        },
    },
    Question {
        option: "--redelivers-for 3d",
        is_open: |args| needs_horizon(args) && args.redelivers_for.is_none(),
        ask: |args, person| {
            if args.source.is_none() {
                let source = person.text(
                    "Who sends the events?",
                    "a known source such as stripe, or any text; empty for none",
                    Some(""),
                )?;
                args.source = Some(source).filter(|source| !source.is_empty());
                if !needs_horizon(args) {
                    return Ok(());
                }
            }
            args.redelivers_for = Some(person.text(
                "For how long after the first delivery may an event come again?",
                "as the sender documents it, such as 3d",
                None,
            )?);
            Ok(())
        },
    },
    Question {
        option: "--field refund_id:uuid:source-id",
        is_open: |args| args.fields.is_empty(),
        ask: ask_fields,
    },
    Question {
        option: "--key tenant_id,refund_id",
        is_open: |args| args.key.is_empty(),
        ask: |args, person| {
            args.key = list(
                &person.text(
                    "Which fields make two deliveries the same operation?",
                    "names, separated by commas; never a time, a random value or a position",
                    Some(&suggested_key(args))
                        .filter(|key| !key.is_empty())
                        .map(|key| key.as_str()),
                )?,
            );
            Ok(())
        },
    },
    Question {
        option: "--hash order_id,amount",
        is_open: |args| args.hash.is_empty(),
        ask: |args, person| {
            args.hash = list(&person.text(
                "Whose change makes it another request?",
                "names, separated by commas; `all`, or `none` if there is nothing but the key",
                Some("all"),
            )?);
            Ok(())
        },
    },
    Question {
        option: "--effect refunds:local:insert",
        is_open: |args| args.effects.is_empty(),
        ask: ask_effects,
    },
    Question {
        option: "--lease 30s",
        is_open: |args| args.lease.is_none(),
        ask: |args, person| {
            args.lease = Some(person.text(
                "How long may one attempt work before another takes over?",
                "longer than all its effects together",
                Some("30s"),
            )?);
            Ok(())
        },
    },
    Question {
        option: "--window 30d",
        is_open: |args| args.window.is_none(),
        ask: |args, person| {
            args.window = Some(person.text(
                "How long is a finished key remembered?",
                "longer than any redelivery or replay",
                Some("30d"),
            )?);
            Ok(())
        },
    },
    Question {
        option: "--max-attempts 5",
        is_open: |args| args.max_attempts.is_none(),
        ask: |args, person| {
            let answer = person.text(
                "How often is it tried before a person is asked?",
                "a number",
                Some("5"),
            )?;
            args.max_attempts = Some(answer.trim().parse().map_err(|_| {
                Problem::new(format!("`{answer}` is no number of attempts")).help("such as 5")
            })?);
            Ok(())
        },
    },
    Question {
        option: "--dead-letter-owner payments-oncall",
        is_open: |args| args.dead_letter_owner.is_none(),
        ask: |args, person| {
            args.dead_letter_owner = Some(person.text(
                "Who settles what nobody knows?",
                "a person or a rota, such as payments-oncall",
                args.owner.as_deref(),
            )?);
            Ok(())
        },
    },
    Question {
        option: "--dead-letter-channel \"#payments-incidents\"",
        is_open: |args| args.dead_letter_channel.is_none(),
        ask: |args, person| {
            args.dead_letter_channel = Some(person.text(
                "Where are they told?",
                "a channel, such as #payments-incidents",
                None,
            )?);
            Ok(())
        },
    },
    Question {
        option: "--dead-letter-deadline 4h",
        is_open: |args| args.dead_letter_deadline.is_none(),
        ask: |args, person| {
            args.dead_letter_deadline = Some(person.text("By when?", "such as 4h", Some("4h"))?);
            Ok(())
        },
    },
];

/// Asks for every decision that is open.
pub(super) fn ask_missing(args: &mut Args, person: &mut dyn Ask) -> Result<(), Problem> {
    for question in QUESTIONS {
        if (question.is_open)(args) {
            (question.ask)(args, person)?;
        }
    }
    refuse_missing(args)
}

/// One problem that names every decision that is open, or none.
pub(super) fn refuse_missing(args: &Args) -> Result<(), Problem> {
    let open: Vec<_> = QUESTIONS
        .iter()
        .filter(|question| (question.is_open)(args))
        .map(|question| question.option)
        .collect();
    if open.is_empty() {
        return Ok(());
    }
    Err(
        Problem::new("the contract cannot be written: decisions are missing")
            .why("a decision that nobody made is where money is lost, so none has a silent default")
            .help(format!("add, with your own answers:\n{}", open.join("\n"))),
    )
}

fn list(text: &str) -> Vec<String> {
    text.split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn ask_kind(args: &mut Args, person: &mut dyn Ask) -> Result<(), Problem> {
    let options: Vec<_> = TriggerKind::ALL
        .iter()
        .map(|kind| {
            let meaning = match kind {
                TriggerKind::Webhook => "a provider calls us",
                TriggerKind::Http => "a client calls us",
                TriggerKind::Queue => "a queue delivers",
                TriggerKind::Stream => "a log is read",
                TriggerKind::Schedule => "a clock",
                TriggerKind::Manual => "a person",
            };
            (kind.as_str(), meaning)
        })
        .collect();
    let answer = person.choose("What starts it?", &options)?;
    args.kind = TriggerKind::ALL.get(answer).copied();
    Ok(())
}

fn ask_fields(args: &mut Args, person: &mut dyn Ask) -> Result<(), Problem> {
    loop {
        let name = person.text(
            "A field of the event?",
            "its name; empty when all are said",
            Some(""),
        )?;
        if name.trim().is_empty() {
            return Ok(());
        }
        let types: Vec<_> = FieldType::ALL
            .iter()
            .map(|kind| (kind.as_str(), ""))
            .collect();
        let kind = FieldType::ALL[person.choose("Its type?", &types)?];
        let mut short = format!("{}:{}", name.trim(), kind.as_str());
        if kind == FieldType::Enum {
            let values = person.text("Its values?", "separated by commas", None)?;
            short.push_str(&format!("({values})"));
        }
        let mut origins = vec![("-", "not said: it will not be in the key")];
        origins.extend(
            Origin::ALL
                .iter()
                .map(|origin| (origin.as_str(), born(*origin))),
        );
        let answer = person.choose("Where is its value born?", &origins)?;
        if answer > 0 {
            short.push_str(&format!(":{}", origins[answer].0));
        }
        if person.confirm("May it be missing?")? {
            short.push_str(":optional");
        }
        if person.confirm("Is it personal data?")? {
            short.push_str(":personal");
        }
        match FieldSpec::parse(&short) {
            Ok(field) => args.fields.push(field),
            Err(error) => return Err(Problem::new(error)),
        }
    }
}

const fn born(origin: Origin) -> &'static str {
    match origin {
        Origin::SourceId => "assigned by the event's source, equal on each redelivery",
        Origin::BusinessId => "names the business fact",
        Origin::StoredBeforeAttempt => "made once by the caller, stored before the first attempt",
        Origin::SourceSequence => "a counter per entity, assigned by the source",
        Origin::Authenticated => "tenant or caller, from the credentials",
        Origin::Content => "a digest of declared fields",
        Origin::BrokerPosition => "topic, partition, offset",
        Origin::LogGeneration => "which incarnation of the log",
        Origin::EventType => "which event type this is",
        Origin::Clock => "a clock: never in a key",
        Origin::Random => "drawn at call time: never in a key",
        Origin::Position => "an index or count: never in a key",
        Origin::Attempt => "which try this is: never in a key",
        Origin::Environment => "the machine or process: never in a key",
    }
}

/// The fields that can tell two events apart, best first, behind the tenant.
fn suggested_key(args: &Args) -> String {
    let of = |wanted: &[Origin]| {
        args.fields
            .iter()
            .filter(|field| field.origin.is_some_and(|origin| wanted.contains(&origin)))
            .map(|field| field.name.as_str())
            .collect::<Vec<_>>()
    };
    let mut key = of(&[Origin::Authenticated]);
    let best = [
        Origin::SourceId,
        Origin::StoredBeforeAttempt,
        Origin::BusinessId,
    ]
    .iter()
    .map(|origin| of(&[*origin]))
    .find(|names| !names.is_empty());
    match best {
        Some(names) => key.extend(names),
        None => key.clear(),
    }
    key.join(", ")
}

fn ask_effects(args: &mut Args, person: &mut dyn Ask) -> Result<(), Problem> {
    loop {
        let name = person.text(
            "An effect, in the order in which it happens?",
            "the table, the call or the mail, by name; empty when all are said",
            Some(""),
        )?;
        if name.trim().is_empty() {
            return Ok(());
        }
        let kinds: Vec<_> = EffectKind::ALL
            .iter()
            .map(|kind| {
                let meaning = match kind {
                    EffectKind::Local => "in the main database",
                    EffectKind::KeyedRemote => {
                        "outside; the provider deduplicates on a key we send"
                    }
                    EffectKind::Remote => "outside, without a key",
                    EffectKind::Irreversible => "cannot be undone or asked about",
                };
                (kind.as_str(), meaning)
            })
            .collect();
        let kind = EffectKind::ALL[person.choose("What kind is it?", &kinds)?];
        let mut effect = EffectSpec {
            name: name.trim().to_owned(),
            kind,
            change: None,
            provider: None,
        };
        if kind == EffectKind::Local {
            let changes: Vec<_> = Change::ALL
                .iter()
                .map(|change| {
                    let meaning = match change {
                        Change::Set => "writes a value",
                        Change::Insert => "adds a row",
                        Change::Relative => "adds to or subtracts from a value",
                    };
                    (change.as_str(), meaning)
                })
                .collect();
            let answer = person.choose("How does it change?", &changes)?;
            effect.change = Change::ALL.get(answer).copied();
        } else {
            let provider = person.text(
                "Who is behind it?",
                "such as stripe; empty for none",
                Some(""),
            )?;
            effect.provider = Some(provider).filter(|provider| !provider.is_empty());
        }
        args.effects.push(effect);
    }
}

#[cfg(test)]
mod tests;
