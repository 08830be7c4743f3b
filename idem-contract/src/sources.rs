//! What is publicly documented about real sources of events and real providers of effects.
//!
//! The table is written in `data/sources.toml`; `sources/table.rs` is generated from it
//! (`cargo xtask codegen`). Each value carries the page it was read from and the day of reading;
//! a value that no page supports is absent, and rules say nothing where it is.

use std::time::Duration;

mod table;

pub use table::ALL;

/// A value and the page that supports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact<T> {
    /// The value.
    pub value: T,
    /// The address of the public page it was read from.
    pub page: &'static str,
    /// The day it was read, `YYYY-MM-DD`.
    pub checked: &'static str,
    /// A restriction, such as "by default"; may be empty.
    pub note: &'static str,
}

/// A source of events, a provider of effects, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name in a contract: kebab-case.
    pub name: &'static str,
    /// The name in prose.
    pub title: &'static str,
    /// Other names a contract may use.
    pub aliases: &'static [&'static str],
    /// Automatic redelivery goes on for this long after the first delivery.
    pub redelivers_for: Option<Fact<Duration>>,
    /// A parked message can come back for this long.
    pub dead_letter_for: Option<Fact<Duration>>,
    /// Somebody can send it again by hand for this long.
    pub redrive_for: Option<Fact<Duration>>,
    /// Whether events arrive in the order in which they happened.
    pub ordered: Option<Fact<bool>>,
    /// The identifiers a delivery carries.
    pub ids: &'static [Id],
    /// The header that makes the provider deduplicate.
    pub key_header: Option<Fact<&'static str>>,
    /// How long, at the least, the provider remembers that key.
    pub key_lifetime: Option<Fact<Duration>>,
}

/// An identifier that a delivery carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id {
    /// The field or header, as the source spells it.
    pub field: &'static str,
    /// Whether it is the same on each delivery of one event.
    pub stability: Stability,
    /// One line: what it identifies.
    pub note: &'static str,
    /// The address of the public page this was read from.
    pub page: &'static str,
    /// The day it was read, `YYYY-MM-DD`.
    pub checked: &'static str,
}

/// Whether an identifier is the same on each delivery of one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stability {
    /// The same on each delivery of one event.
    Stable,
    /// Another one on each delivery.
    PerDelivery,
    /// The same on each delivery from one place, but it can come again for another event (a
    /// counter that starts again, a place that is deduplicated for a time only).
    Reused,
    /// The documentation warns that two events may carry the same one, or one event two.
    NotUnique,
}

impl Stability {
    /// Whether an operation can be recognised by it.
    #[must_use]
    pub const fn holds(self) -> bool {
        matches!(self, Self::Stable)
    }
}

impl Source {
    /// The identifier that goes by `field`, compared without case, `-`, `_` and a leading `x-`.
    #[must_use]
    pub fn id(&self, field: &str) -> Option<&'static Id> {
        self.ids.iter().find(|id| same_field(id.field, field))
    }
}

/// The entry of that name or alias, compared without case, and with `_` and space as `-`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Source> {
    ALL.iter().find(|source| {
        std::iter::once(&source.name)
            .chain(source.aliases)
            .any(|known| same_name(known, name))
    })
}

fn same_name(known: &str, written: &str) -> bool {
    let written = written.trim();
    known.len() == written.len()
        && known.bytes().zip(written.bytes()).all(|(a, b)| {
            let b = match b {
                b'_' | b' ' => b'-',
                other => other.to_ascii_lowercase(),
            };
            a == b
        })
}

fn same_field(known: &str, written: &str) -> bool {
    fn letters(name: &str) -> impl Iterator<Item = u8> {
        let name = name.rsplit('.').next().unwrap_or(name);
        let bare = match name.get(..2) {
            Some(prefix)
                if prefix.eq_ignore_ascii_case("x-") || prefix.eq_ignore_ascii_case("x_") =>
            {
                &name[2..]
            }
            Some(_) | None => name,
        };
        bare.bytes()
            .filter(|byte| !matches!(byte, b'-' | b'_'))
            .map(|byte| byte.to_ascii_lowercase())
    }
    letters(known).eq(letters(written))
}

#[cfg(test)]
mod tests {
    use super::{ALL, Stability, find};

    #[test]
    fn a_source_is_found_by_name_and_alias_in_any_spelling() {
        for name in [
            "azure-service-bus",
            "Azure Service Bus",
            "azure_service_bus",
            " service-bus ",
            "ServiceBus",
        ] {
            assert_eq!(
                find(name).map(|source| source.name),
                Some("azure-service-bus"),
                "{name}"
            );
        }
        assert_eq!(find("our-shop"), None);
        assert_eq!(find(""), None);
    }

    #[test]
    fn an_id_is_found_however_the_payload_spells_it() {
        let sqs = find("sqs").expect("in the table");
        for field in ["ReceiptHandle", "receipt_handle", "message.receiptHandle"] {
            let id = sqs.id(field).expect(field);
            assert_eq!(id.stability, Stability::PerDelivery);
            assert!(!id.stability.holds());
        }
        let github = find("github").expect("in the table");
        assert!(github.id("x_github_delivery").is_some());
        assert!(github.id("github-delivery").is_some());
        assert!(github.id("delivery").is_none());
        assert!(github.id("").is_none());
        assert!(github.id("ü-").is_none());
    }

    #[test]
    fn the_table_knows_at_least_fifteen_and_each_of_them_states_something() {
        assert!(ALL.len() >= 15);
        for source in ALL {
            let says_something = source.redelivers_for.is_some()
                || source.redrive_for.is_some()
                || source.key_header.is_some()
                || !source.ids.is_empty();
            assert!(says_something, "{}", source.name);
        }
    }

    #[test]
    fn a_lifetime_stands_beside_the_header_it_belongs_to() {
        for source in ALL {
            assert!(
                source.key_lifetime.is_none() || source.key_header.is_some(),
                "{}",
                source.name
            );
        }
    }
}
