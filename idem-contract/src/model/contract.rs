//! What rules ask a whole contract, and how they add to it.

use super::{Contract, Effect, Field, Header, Mode, Strategy, TableStyle};
use crate::{Fix, Span};

impl Contract {
    /// The payload field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.payload.iter().find(|field| field.name.value == name)
    }

    /// The strategy, or the default `table`.
    #[must_use]
    pub fn strategy(&self) -> Strategy {
        self.strategy.or(Strategy::Table)
    }

    /// Whether the workflow keeps bookkeeping of its own (`table` and `external`).
    #[must_use]
    pub fn keeps_bookkeeping(&self) -> bool {
        matches!(self.strategy(), Strategy::Table | Strategy::External)
    }

    /// `fused` when every effect is local to the main store, else `leased`; `[claim] mode` may say otherwise.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.claim
            .mode
            .or(if self.effects.iter().all(Effect::is_fusable) {
                Mode::Fused
            } else {
                Mode::Leased
            })
    }

    /// Where to point when something is absent from the whole contract: the workflow's name, else the first byte.
    #[must_use]
    pub fn anchor(&self) -> Span {
        self.workflow.span().unwrap_or_default()
    }

    /// Where to point when something is absent from a table: the table's header, else [`Contract::anchor`].
    #[must_use]
    pub fn table_anchor(&self, header: Option<Header>) -> Span {
        header.map_or_else(|| self.anchor(), |header| header.span)
    }

    /// Whether the payload is known not to have a field of that name.
    #[must_use]
    pub fn lacks_field(&self, name: &str) -> bool {
        self.complete && self.field(name).is_none()
    }

    /// A safe edit that adds `entry` (such as `lease = "30s"`) to the table called `table`, or
    /// appends the table where it was not written.
    #[must_use]
    pub fn add_setting(&self, header: Option<Header>, table: &str, entry: &str) -> Fix {
        match header {
            None => Fix::insert(self.end, format!("\n[{table}]\n{entry}\n")),
            Some(header) => Fix::insert(
                header.insert_at,
                match header.style {
                    TableStyle::Section => format!("\n{entry}"),
                    TableStyle::Inline => format!(", {entry}"),
                    TableStyle::EmptyInline => format!(" {entry} "),
                    TableStyle::Dotted => format!("\n{table}.{entry}"),
                },
            ),
        }
    }

    /// A safe edit that adds `entry` (such as `version = 1`) outside all tables.
    #[must_use]
    pub fn add_root_setting(&self, entry: &str) -> Fix {
        match self.root_insert_at {
            Some(at) => Fix::insert(at, format!("\n{entry}")),
            None => Fix::insert(self.start, format!("{entry}\n")),
        }
    }
}
