//! Why a part can never be in a key: one part, one reason.
//!
//! A value that changes between attempts can be seen by its stated origin, by a default that is a
//! generator, or by a name. The rules that speak for it share this module, and the other key rules
//! stay silent about a part that is refused here: whoever takes it out has no further mistake.

use crate::unstable::{Category, Level, Unstable};
use crate::{
    Field, Findings, KeyExpr, KeyPlace, Mention, Origin, Part, PartKind, Role, name, unstable,
};

/// Why a part is refused.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cause<'a> {
    /// The contract says so.
    Origin(Origin),
    /// A missing value is made up by this default.
    Generator(&'a str),
    /// A name says so, whatever the contract says.
    Name(&'a Mention, &'static Unstable),
}

/// Why a part is refused, with the rule that says so; at most one cause a rule, and for a part
/// whose origin or default decides, one altogether.
pub(crate) fn causes(part: &Part) -> Vec<(&'static str, Cause<'_>)> {
    if let Some((rule, origin)) = part.origin.and_then(by_origin) {
        return vec![(rule, Cause::Origin(origin))];
    }
    if let Some(call) = generator(part) {
        return vec![(rule_of_generator(call), Cause::Generator(call))];
    }
    let mut out: Vec<(&'static str, Cause<'_>)> = Vec::new();
    for mention in &part.mentions {
        if is_step(mention, part) {
            continue;
        }
        let Some(entry) = unstable::of(mention).filter(|entry| entry.level == Level::Deny) else {
            continue;
        };
        let Some(rule) = rule_of(mention, entry, part) else {
            continue;
        };
        let cause = Cause::Name(mention, entry);
        match out.iter_mut().find(|(known, _)| *known == rule) {
            Some((_, known)) => {
                if says_more(mention, known) {
                    *known = cause;
                }
            }
            None => out.push((rule, cause)),
        }
    }
    out
}

/// Whether the part is refused for what it is, so that nothing else need be said about it.
pub(crate) fn is_refused(part: &Part) -> bool {
    !causes(part).is_empty()
}

/// Whether a payload field would be refused as a part of the key.
pub(crate) fn is_refused_field(field: &Field) -> bool {
    is_refused(&Part::of_field(
        &field.name.value,
        field.name.span,
        Some(field),
    ))
}

fn by_origin(origin: Origin) -> Option<(&'static str, Origin)> {
    let rule = match origin {
        Origin::Clock => "clock-in-key",
        Origin::Random => "random-in-key",
        Origin::Position => "position-in-key",
        Origin::Attempt => "attempt-in-key",
        Origin::Environment => "environment-in-key",
        Origin::SourceId
        | Origin::BusinessId
        | Origin::StoredBeforeAttempt
        | Origin::SourceSequence
        | Origin::Authenticated
        | Origin::Content
        | Origin::BrokerPosition
        | Origin::LogGeneration
        | Origin::EventType => return None,
    };
    Some((rule, origin))
}

/// A default that makes a value up: a call such as `uuid()`, or the path of one that is known to
/// differ, such as `Uuid::new_v4`.
fn generator(part: &Part) -> Option<&str> {
    let text = part.default.as_deref()?.trim();
    let is_path = text.contains("::")
        && unstable::lookup_path(text).is_some_and(|entry| entry.level == Level::Deny);
    let is_call = text.ends_with(')') && text.contains('(');
    (is_call || is_path).then_some(text)
}

fn rule_of_generator(text: &str) -> &'static str {
    let call = text.split('(').next().unwrap_or(text).trim();
    match unstable::lookup_path(call) {
        Some(entry) if entry.category == Category::Clock && is_time(call) => "clock-in-key",
        _ => "random-in-key",
    }
}

/// `now()` and `today()`, not the ids that are made from a clock (`ulid()`, `now_v7()`).
fn is_time(call: &str) -> bool {
    let last = call.rsplit("::").next().unwrap_or(call);
    ["now", "today", "date", "timestamp"]
        .iter()
        .any(|word| last.split('_').any(|part| part == *word))
        && !last.contains("_v")
}

fn rule_of(mention: &Mention, entry: &Unstable, part: &Part) -> Option<&'static str> {
    match entry.category {
        Category::Lossy if mention.role == Role::Macro => None,
        Category::Lossy if part.kind == PartKind::Joined || is_joining(mention) => None,
        Category::Absent if mention.name == "ok" => Some("optional-key-part"),
        Category::Clock
        | Category::Random
        | Category::Position
        | Category::Environment
        | Category::Delivery
        | Category::Lossy
        | Category::Absent
        | Category::Stable => entry.category.rule(),
    }
}

/// Whether a mention makes one text of several values; `joined-key-text` speaks for it.
pub(crate) fn is_joining(mention: &Mention) -> bool {
    match mention.role {
        Role::Macro => matches!(mention.name.as_str(), "format" | "concat" | "format_args"),
        Role::Method | Role::Call => {
            matches!(mention.name.as_str(), "join" | "concat" | "push_str")
        }
        Role::Field | Role::Argument | Role::Path => false,
    }
}

/// `event.build` in `event.build.id` is a step on the way to an id, not a part.
fn is_step(mention: &Mention, part: &Part) -> bool {
    matches!(mention.role, Role::Field | Role::Argument)
        && part.mentions.iter().any(|other| {
            other.role == Role::Field
                && other
                    .path
                    .strip_prefix(mention.path.as_str())
                    .and_then(|rest| rest.strip_prefix('.'))
                    .is_some_and(|rest| !rest.split('.').all(name::is_tuple_position))
        })
}

/// A read (`Utc::now`) says more than what is done with it (`as_millis`), and the inner of two
/// reads comes later in the list.
fn says_more(mention: &Mention, known: &Cause<'_>) -> bool {
    match known {
        Cause::Name(known, _) => mention.role != Role::Method || known.role == Role::Method,
        Cause::Origin(_) | Cause::Generator(_) => false,
    }
}

/// What a rule says about the parts it refuses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    /// What the value is: `the time of this attempt`.
    pub(crate) what: &'static str,
    /// Why that hurts, in one line.
    pub(crate) why: &'static str,
    /// What to write instead where the table of names does not say.
    pub(crate) instead: &'static str,
    /// The interleaving that loses money.
    pub(crate) race: &'static [&'static str],
}

/// Reports every part of `key` that `rule` refuses.
pub(crate) fn report(rule: &str, key: &KeyExpr, findings: &mut Findings<'_>, words: &Words) {
    for part in &key.parts {
        for (_, cause) in causes(part).into_iter().filter(|(id, _)| *id == rule) {
            let name = &part.name;
            let (span, message, help) = match cause {
                Cause::Origin(origin) => (
                    part.span,
                    format!(
                        "`{name}` is {}: its origin is `{}`",
                        words.what,
                        origin.as_str()
                    ),
                    words.instead.to_owned(),
                ),
                Cause::Generator(text) => (
                    part.span,
                    format!(
                        "`{name}` is {} when it is missing: its default is `{text}`",
                        words.what
                    ),
                    format!("drop the default; {}", words.instead),
                ),
                Cause::Name(mention, entry) => (
                    mention.span,
                    named(part, mention, words),
                    match key.place {
                        KeyPlace::Attribute => instead_of(entry, words),
                        KeyPlace::Contract | KeyPlace::PreviousRecipe => format!(
                            "{}; where the name misleads, silence it by `[[allow]] rule = \"{rule}\"` with a reason",
                            instead_of(entry, words)
                        ),
                    },
                ),
            };
            let finding = findings.report(span, key.path(part), message, words.why, help);
            if let Some(declared) = part.declared {
                match cause {
                    Cause::Origin(_) => {
                        finding.also(declared.origin.unwrap_or(declared.name), "says so");
                    }
                    Cause::Generator(_) => {
                        finding.also(declared.default.unwrap_or(declared.name), "made up here");
                    }
                    Cause::Name(..) => {
                        finding.also(declared.name, "declared here; no origin redeems the name");
                    }
                }
            }
            finding.race(words.race);
        }
    }
}

/// What the table of names says, as an instruction. What helps against a clock is always the same.
fn instead_of(entry: &Unstable, words: &Words) -> String {
    if entry.category == Category::Clock {
        words.instead.to_owned()
    } else if entry.instead.starts_with("leave") {
        entry.instead.to_owned()
    } else {
        format!("write instead: {}", entry.instead)
    }
}

fn named(part: &Part, mention: &Mention, words: &Words) -> String {
    match mention.role {
        Role::Field | Role::Argument => {
            let name = if part.kind == PartKind::Field {
                &part.name
            } else {
                &mention.name
            };
            format!("`{name}` in the key is, by its name, {}", words.what)
        }
        Role::Macro => format!("`{}!` in the key is {}", mention.name, words.what),
        Role::Method => format!("`.{}()` in the key is {}", mention.name, words.what),
        Role::Call | Role::Path => format!("`{}` in the key is {}", mention.path, words.what),
    }
}
