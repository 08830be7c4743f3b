//! Values that hold others: lists of names, tables, lists of tables.

use super::decoder::{At, Decoder, Names};
use super::tree::{Defined, Entry, TableId, Value};
use crate::{Fix, Setting, Spanned, name};

impl Decoder<'_, '_> {
    /// A list of texts.
    pub(super) fn names(&mut self, at: At<'_>, entry: &Entry<'_>) -> Setting<Names> {
        let node = &entry.node;
        let items = match &node.value {
            Value::Array(items) => items,
            Value::Broken => return Setting::Unreadable(node.span),
            Value::String(text) => {
                let list = format!("[{}]", name::quoted(text));
                let help = format!("write `{} = {list}`, also for one", entry.key);
                self.wrong_type(node, at.path(&entry.key), "a list of texts", help)
                    .fix = Some(Fix::replace(node.span, list));
                return Setting::Unreadable(node.span);
            }
            Value::Integer(_)
            | Value::Float
            | Value::Boolean(_)
            | Value::Date(_)
            | Value::DateTime
            | Value::Tables(_)
            | Value::Table(_) => {
                let help = format!("write `{} = [\"…\", \"…\"]`", entry.key);
                self.wrong_type(node, at.path(&entry.key), "a list of texts", help);
                return Setting::Unreadable(node.span);
            }
        };
        let mut names = Names::with_capacity(items.len());
        for item in items {
            match &item.value {
                Value::String(text) if !text.trim().is_empty() => {
                    names.push(Spanned::new(text.to_string(), item.span));
                }
                Value::String(_) => {
                    self.invalid(
                        item.span,
                        at.path(&entry.key),
                        "an empty name",
                        "an empty text names nothing",
                        "write the name, or take the item out",
                    );
                }
                Value::Broken => {}
                Value::Integer(_)
                | Value::Float
                | Value::Boolean(_)
                | Value::Date(_)
                | Value::DateTime
                | Value::Array(_)
                | Value::Tables(_)
                | Value::Table(_) => {
                    self.wrong_type(
                        item,
                        at.path(&entry.key),
                        "a text in quotes",
                        "write `\"…\"`",
                    );
                }
            }
        }
        if names.len() == items.len() {
            Setting::Given(Spanned::new(names, node.span))
        } else {
            Setting::Unreadable(node.span)
        }
    }

    /// A list of names, none twice and at least one.
    pub(super) fn distinct(
        &mut self,
        at: At<'_>,
        entry: &Entry<'_>,
        if_empty: &str,
    ) -> Setting<Names> {
        let setting = self.set(at, entry);
        let Some(given) = setting.given().filter(|given| given.value.is_empty()) else {
            return setting;
        };
        let span = given.span;
        self.invalid(
            span,
            at.path(&entry.key),
            format!("`{}` is an empty list", entry.key),
            "a list without items says nothing",
            if_empty,
        );
        Setting::Unreadable(span)
    }

    /// A list of names, none twice.
    pub(super) fn set(&mut self, at: At<'_>, entry: &Entry<'_>) -> Setting<Names> {
        let setting = self.names(at, entry);
        if let Setting::Given(given) = &setting {
            self.none_twice(&given.value, || at.path(&entry.key));
        }
        setting
    }

    pub(super) fn none_twice(&mut self, names: &[Spanned<String>], path: impl Fn() -> String) {
        if names.len() < 2 {
            return;
        }
        let mut sorted: Vec<&Spanned<String>> = names.iter().collect();
        sorted.sort_by(|a, b| (&a.value, a.span).cmp(&(&b.value, b.span)));
        for pair in sorted.windows(2) {
            if pair[0].value == pair[1].value {
                let first = pair[0].span;
                self.invalid(
                    pair[1].span,
                    path(),
                    format!("`{}` is named twice", pair[1].value),
                    "the second mention adds nothing and hides what was meant",
                    "take one of them out",
                )
                .also(first, "first named here");
            }
        }
    }

    /// The one table that `entry` should be. `[[name]]` is refused, and its first table read.
    pub(super) fn one_table(&mut self, entry: &Entry<'_>, name: &'static str) -> Option<TableId> {
        let node = &entry.node;
        match &node.value {
            Value::Table(id) => Some(*id),
            Value::Broken => None,
            Value::Tables(ids) => {
                let first = ids.first().copied();
                let fix = (ids.len() == 1).then(|| Fix::replace(node.span, format!("[{name}]")));
                let help = format!("write `[{name}]`, once");
                self.wrong_type(node, name.to_owned(), "one table", help)
                    .fix = fix;
                first
            }
            Value::String(_)
            | Value::Integer(_)
            | Value::Float
            | Value::Boolean(_)
            | Value::Date(_)
            | Value::DateTime
            | Value::Array(_) => {
                let help =
                    format!("write `[{name}]` on a line of its own and the settings below it");
                self.wrong_type(node, name.to_owned(), "a table", help);
                None
            }
        }
    }

    /// The tables of `[[name]]`, also from `name = [{ … }]`. `None` where not all could be read.
    pub(super) fn many_tables(
        &mut self,
        entry: &Entry<'_>,
        name: &'static str,
    ) -> (Vec<TableId>, bool) {
        let node = &entry.node;
        let help = format!("write `[[{name}]]` on a line of its own before each one");
        match &node.value {
            Value::Tables(ids) => (ids.clone(), true),
            Value::Broken => (Vec::new(), false),
            Value::Array(items) => {
                let mut ids = Vec::with_capacity(items.len());
                for item in items {
                    if let Value::Table(id) = &item.value {
                        ids.push(*id);
                    } else {
                        self.wrong_type(item, name.to_owned(), "a table", help.clone());
                    }
                }
                let complete = ids.len() == items.len();
                (ids, complete)
            }
            Value::Table(id) => {
                let table = self.table(*id);
                let is_header = table.defined == Defined::Header;
                let fix = is_header.then(|| Fix::replace(node.span, format!("[[{name}]]")));
                self.wrong_type(node, name.to_owned(), "a list of tables", help)
                    .fix = fix;
                let ids = if table.entries.is_empty() {
                    Vec::new()
                } else {
                    vec![*id]
                };
                let complete = !ids.is_empty();
                (ids, complete)
            }
            Value::String(_)
            | Value::Integer(_)
            | Value::Float
            | Value::Boolean(_)
            | Value::Date(_)
            | Value::DateTime => {
                self.wrong_type(node, name.to_owned(), "a list of tables", help);
                (Vec::new(), false)
            }
        }
    }
}
