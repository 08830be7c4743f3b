//! A TOML document as a tree with spans that keeps what every broken statement still says.
//!
//! The document is cut into statements and each is parsed alone, so a mistake ends with its
//! statement. A statement whose key can be read leaves the key with [`Value::Broken`]; one whose
//! key cannot leaves [`Table::junk`]. A tree with neither follows TOML 1.1 exactly.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::{Span, TableStyle};

/// From this many entries on a table is searched by hash.
const INDEX_FROM: usize = 24;

/// A table of the tree, by number.
pub(crate) type TableId = usize;

#[derive(Debug)]
pub(crate) struct Tree<'s> {
    pub(crate) tables: Vec<Table<'s>>,
    /// Part of the text could not be given to any table: nothing follows from what is absent.
    pub(crate) lost: Option<Span>,
}

#[derive(Debug)]
pub(crate) struct Table<'s> {
    pub(crate) entries: Vec<Entry<'s>>,
    /// The header with its brackets, the key of a dotted table, or the braces of an inline one.
    pub(crate) span: Span,
    /// Behind the last entry and its comment.
    pub(crate) insert_at: usize,
    pub(crate) defined: Defined,
    /// A statement of this table whose key could not be read.
    pub(crate) junk: Option<Span>,
    index: HashMap<Cow<'s, str>, usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Defined {
    Root,
    /// `[a]` or one `[[a]]`.
    Header,
    /// `a` of `[a.b]`, not yet written itself.
    Implicit,
    /// `a` of `a.b = …`.
    Dotted,
    Inline,
}

#[derive(Debug)]
pub(crate) struct Entry<'s> {
    pub(crate) key: Cow<'s, str>,
    pub(crate) key_span: Span,
    pub(crate) node: Node<'s>,
}

#[derive(Debug)]
pub(crate) struct Node<'s> {
    pub(crate) span: Span,
    pub(crate) value: Value<'s>,
}

#[derive(Debug)]
pub(crate) enum Value<'s> {
    String(Cow<'s, str>),
    /// `None` outside of 64 bits.
    Integer(Option<i64>),
    Float,
    Boolean(bool),
    /// A local date, as days since 1970-01-01.
    Date(i32),
    /// Any other date or time.
    DateTime,
    Array(Vec<Node<'s>>),
    /// `[[a]]`, one table each.
    Tables(Vec<TableId>),
    Table(TableId),
    /// The statement was refused; a finding says so.
    Broken,
}

impl<'s> Table<'s> {
    pub(super) fn new(span: Span, insert_at: usize, defined: Defined) -> Self {
        Self {
            entries: Vec::new(),
            span,
            insert_at,
            defined,
            junk: None,
            index: HashMap::new(),
        }
    }

    pub(crate) fn position(&self, key: &str) -> Option<usize> {
        if self.entries.len() < INDEX_FROM {
            self.entries.iter().position(|entry| entry.key == key)
        } else {
            self.index.get(key).copied()
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Entry<'s>> {
        self.position(key).map(|at| &self.entries[at])
    }

    pub(super) fn push(&mut self, entry: Entry<'s>) {
        if self.entries.len() + 1 == INDEX_FROM {
            self.index = (self.entries.iter().enumerate())
                .map(|(at, entry)| (entry.key.clone(), at))
                .collect();
        }
        if self.entries.len() + 1 >= INDEX_FROM {
            self.index.insert(entry.key.clone(), self.entries.len());
        }
        self.entries.push(entry);
    }

    pub(crate) fn style(&self) -> TableStyle {
        match self.defined {
            Defined::Root | Defined::Header | Defined::Implicit => TableStyle::Section,
            Defined::Dotted => TableStyle::Dotted,
            Defined::Inline if self.entries.is_empty() => TableStyle::EmptyInline,
            Defined::Inline => TableStyle::Inline,
        }
    }
}

/// The table outside of all headers.
pub(crate) const ROOT: TableId = 0;
