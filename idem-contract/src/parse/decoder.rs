//! Readers for single settings: each gives what it understood and says what it did not.

use super::keys::{Keys, TABLES};
use super::near::{listed, nearest};
use super::tree::{Entry, Node, ROOT, Table, TableId, Tree, Value};
use crate::model::Word;
use crate::{Diagnostic, Fix, Header, Rule, Setting, Span, Spanned, rules};

/// The table that is being read, for paths and messages.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    /// `claim`, `effects`; empty for the root.
    pub(super) table: &'static str,
    /// Which one of several: an effect's name, a field's name.
    pub(super) item: Option<&'a str>,
}

impl At<'_> {
    pub(super) const fn of(table: &'static str) -> At<'static> {
        At { table, item: None }
    }

    /// The dotted path of `key` in this table.
    pub(super) fn path(self, key: &str) -> String {
        let mut path = String::from(self.table);
        for part in self.item.into_iter().chain([key]) {
            if !path.is_empty() && !part.is_empty() {
                path.push('.');
            }
            path.push_str(part);
        }
        path
    }

    /// The table as a reader knows it: `[claim]`, `[[effects]]`, `{ … }` of a field.
    pub(super) fn words(self) -> String {
        match self.table {
            "" => "a contract".to_owned(),
            "effects" | "allow" | "key.previous" => format!("`[[{}]]`", self.table),
            "payload" => "a field's declaration".to_owned(),
            table => format!("`[{table}]`"),
        }
    }
}

/// What was found outside of its table, or could not be read in it.
pub(super) struct Misplaced {
    /// The table that may lack a setting only because it stands here.
    pub(super) table: &'static str,
    /// The setting; `None` where it could be any.
    pub(super) name: Option<&'static str>,
    pub(super) span: Span,
}

pub(super) struct Decoder<'t, 's> {
    pub(super) tree: &'t Tree<'s>,
    pub(super) source: &'s str,
    pub(super) out: Vec<Diagnostic>,
    pub(super) misplaced: Vec<Misplaced>,
}

/// A list of names, each with its place.
pub(super) type Names = Vec<Spanned<String>>;

impl<'t, 's> Decoder<'t, 's> {
    pub(super) fn report(
        &mut self,
        rule: &'static Rule,
        span: Span,
        path: String,
        message: impl Into<String>,
        why: &str,
        help: impl Into<String>,
    ) -> &mut Diagnostic {
        self.out.push(Diagnostic {
            rule: rule.id,
            severity: rule.severity,
            span,
            path,
            message: message.into(),
            why: why.to_owned(),
            help: help.into(),
            related: Vec::new(),
            interleaving: Vec::new(),
            fix: None,
        });
        let last = self.out.len() - 1;
        &mut self.out[last]
    }

    pub(super) fn table(&self, id: TableId) -> &'t Table<'s> {
        &self.tree.tables[id]
    }

    pub(super) fn header(&self, id: TableId) -> Header {
        let table = self.table(id);
        Header {
            span: table.span,
            insert_at: table.insert_at,
            style: table.style(),
        }
    }

    /// Calls `read` for every entry of a table, and speaks of the names that are not its keys. A
    /// name that is near to one key that was not written is read as that key.
    pub(super) fn each<K: Keys>(
        &mut self,
        id: TableId,
        at: At<'_>,
        mut read: impl FnMut(&mut Self, K, &'t Entry<'s>),
    ) {
        let table = self.table(id);
        for entry in &table.entries {
            if let Some(key) = K::from_word(&entry.key) {
                read(self, key, entry);
                continue;
            }
            let near = nearest(&entry.key, K::WORDS.iter().copied());
            let free = near.filter(|near| table.position(near).is_none());
            if !matches!(entry.node.value, Value::Broken) {
                self.unknown_field(entry, at, K::WORDS, near, free.is_some());
            }
            match free.and_then(K::from_word) {
                Some(key) => read(self, key, entry),
                None if matches!(entry.node.value, Value::Broken) => {
                    self.misplaced.push(Misplaced {
                        table: at.table,
                        name: None,
                        span: entry.key_span,
                    });
                }
                None => {}
            }
        }
        if let Some(span) = table.junk {
            self.misplaced.push(Misplaced {
                table: at.table,
                name: None,
                span,
            });
        }
    }

    fn unknown_field(
        &mut self,
        entry: &Entry<'_>,
        at: At<'_>,
        words: &'static [&'static str],
        near: Option<&str>,
        is_free: bool,
    ) {
        let key = &*entry.key;
        let homes: Vec<(&'static str, &'static str)> = (TABLES.iter())
            .filter(|(table, _)| *table != at.table && !table.contains('*'))
            .filter_map(|(table, words)| Some((*table, *words.iter().find(|word| **word == key)?)))
            .collect();
        // The root comes first: what is written at the end of a file belongs to its last table.
        let root_lacks_it = self.table(ROOT).position(key).is_none();
        let elsewhere = homes.first().copied().filter(|(table, _)| {
            near.is_none() && (homes.len() == 1 || (table.is_empty() && root_lacks_it))
        });
        let help = match (near, elsewhere.map(|(table, _)| table)) {
            (Some(near), _) if is_free => format!("did you mean `{near}`?"),
            (Some(near), _) => format!("`{near}` is there already: take one of the two out"),
            (None, Some("")) => {
                format!("write `{key}` at the top of the file, before the first `[table]`")
            }
            (None, Some(table)) => {
                let home = At::of(table).words();
                format!("`{key}` belongs in {home}: move it there")
            }
            (None, None) => format!("{} takes {}", at.words(), listed(words.iter().copied())),
        };
        if let Some((table, name)) = elsewhere {
            self.misplaced.push(Misplaced {
                table,
                name: Some(name),
                span: entry.key_span,
            });
        }
        let fix = (near.filter(|_| is_free)).map(|near| Fix::replace(entry.key_span, near));
        self.report(
            &rules::UNKNOWN_FIELD,
            entry.key_span,
            at.path(key),
            format!("`{key}` is not a setting of {}", at.words()),
            "a name that nothing reads protects nothing, however right its value is",
            help,
        )
        .fix = fix;
    }

    pub(super) fn wrong_type(
        &mut self,
        node: &Node<'_>,
        path: String,
        wanted: &str,
        help: impl Into<String>,
    ) -> &mut Diagnostic {
        let found = kind_name(&node.value);
        self.report(
            &rules::WRONG_TYPE,
            node.span,
            path,
            format!("this is {found}; {wanted} is wanted here"),
            "a value of another kind is not read at all",
            help,
        )
    }

    pub(super) fn invalid(
        &mut self,
        span: Span,
        path: String,
        message: impl Into<String>,
        why: &str,
        help: impl Into<String>,
    ) -> &mut Diagnostic {
        self.report(&rules::INVALID_VALUE, span, path, message, why, help)
    }

    /// Text, not blank.
    pub(super) fn string(&mut self, at: At<'_>, entry: &Entry<'_>) -> Setting<String> {
        let text = match self.text(at, entry) {
            Ok(text) => text,
            Err(span) => return Setting::Unreadable(span),
        };
        if text.trim().is_empty() {
            self.invalid(
                entry.node.span,
                at.path(&entry.key),
                format!("`{}` is empty", entry.key),
                "an empty text names nobody and nothing",
                format!("write what `{}` is, or take the line out", entry.key),
            );
            return Setting::Unreadable(entry.node.span);
        }
        Setting::Given(Spanned::new(text.to_owned(), entry.node.span))
    }

    /// The text of a string value, else the span of what is there instead.
    pub(super) fn text<'e>(&mut self, at: At<'_>, entry: &'e Entry<'_>) -> Result<&'e str, Span> {
        let node = &entry.node;
        match &node.value {
            Value::String(text) => Ok(text),
            Value::Broken => Err(node.span),
            Value::Integer(_)
            | Value::Float
            | Value::Boolean(_)
            | Value::Date(_)
            | Value::DateTime
            | Value::Array(_)
            | Value::Tables(_)
            | Value::Table(_) => {
                let help = format!("write `{} = \"…\"`", entry.key);
                self.wrong_type(node, at.path(&entry.key), "a text in quotes", help);
                Err(node.span)
            }
        }
    }

    /// A kebab-case name of at most 64 characters.
    pub(super) fn name(&mut self, at: At<'_>, entry: &Entry<'_>) -> Setting<String> {
        let setting = self.string(at, entry);
        let Setting::Given(given) = &setting else {
            return setting;
        };
        let name = &given.value;
        let (message, help) = if name.chars().count() > 64 {
            (
                format!("this name has {} characters", name.chars().count()),
                "write at most 64 characters".to_owned(),
            )
        } else if is_kebab(name) {
            return setting;
        } else {
            let better = kebab(name);
            (
                format!("`{name}` is not kebab-case"),
                if is_kebab(&better) {
                    format!("write `{better}`")
                } else {
                    "write lower-case letters and digits, words joined by `-`, a letter first"
                        .to_owned()
                },
            )
        };
        let span = given.span;
        self.invalid(
            span,
            at.path(&entry.key),
            message,
            "names stand in keys, file names and dashboards, where one spelling must be the only one",
            help,
        );
        Setting::Unreadable(span)
    }

    pub(super) fn boolean(&mut self, at: At<'_>, entry: &Entry<'_>) -> Setting<bool> {
        let node = &entry.node;
        match &node.value {
            Value::Boolean(value) => Setting::Given(Spanned::new(*value, node.span)),
            Value::Broken => Setting::Unreadable(node.span),
            Value::String(text) => {
                let word = matches!(&**text, "true" | "false").then(|| text.to_string());
                let found = self.wrong_type(
                    node,
                    at.path(&entry.key),
                    "true or false",
                    format!("write `{} = true` or `false`, without quotes", entry.key),
                );
                found.fix = word.map(|word| Fix::replace(node.span, word));
                Setting::Unreadable(node.span)
            }
            Value::Integer(_)
            | Value::Float
            | Value::Date(_)
            | Value::DateTime
            | Value::Array(_)
            | Value::Tables(_)
            | Value::Table(_) => {
                let help = format!("write `{} = true` or `false`", entry.key);
                self.wrong_type(node, at.path(&entry.key), "true or false", help);
                Setting::Unreadable(node.span)
            }
        }
    }

    /// One word of a list.
    pub(super) fn word<T: Word>(&mut self, at: At<'_>, entry: &Entry<'_>) -> Setting<T> {
        let text = match self.text(at, entry) {
            Ok(text) => text,
            Err(span) => return Setting::Unreadable(span),
        };
        match T::ALL.iter().find(|value| value.word() == text) {
            Some(value) => Setting::Given(Spanned::new(*value, entry.node.span)),
            None => {
                let words = T::ALL.iter().map(|value| value.word());
                self.unknown_value(entry.node.span, at.path(&entry.key), text, words);
                Setting::Unreadable(entry.node.span)
            }
        }
    }

    pub(super) fn unknown_value<'w>(
        &mut self,
        span: Span,
        path: String,
        text: &str,
        words: impl Iterator<Item = &'w str> + Clone,
    ) -> &mut Diagnostic {
        let near = nearest(text, words.clone());
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write {}", listed(words)),
        };
        let diagnostic = self.report(
            &rules::UNKNOWN_VALUE,
            span,
            path,
            format!("`{text}` is not one of the words that are possible here"),
            "an unknown word decides nothing",
            help,
        );
        diagnostic.fix = near.map(|near| Fix::replace(span, format!("\"{near}\"")));
        diagnostic
    }
}

/// What a value is, with its article.
pub(super) fn kind_name(value: &Value<'_>) -> &'static str {
    match value {
        Value::String(_) => "a text",
        Value::Integer(_) => "a whole number",
        Value::Float => "a number with a fraction",
        Value::Boolean(_) => "true or false",
        Value::Date(_) => "a date",
        Value::DateTime => "a date with a time",
        Value::Array(_) => "a list",
        Value::Tables(_) => "a list of tables",
        Value::Table(_) => "a table",
        Value::Broken => "not readable",
    }
}

fn is_kebab(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.split('-').all(|word| {
            !word.is_empty()
                && word
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
}

/// `RefundOrder`, `refund_order`, `Refund order` as `refund-order`.
fn kebab(name: &str) -> String {
    let mut out = String::new();
    let mut before_lower = false;
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            if c.is_ascii_uppercase() && before_lower && !out.ends_with('-') {
                out.push('-');
            }
            out.push(c.to_ascii_lowercase());
            before_lower = !c.is_ascii_uppercase();
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
            before_lower = false;
        }
    }
    out.trim_end_matches('-').to_owned()
}
