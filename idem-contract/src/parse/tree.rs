//! A TOML document as a tree with spans that keeps what every broken statement still says.
//!
//! The document is cut into statements and each is parsed alone, so a mistake ends with its
//! statement. A statement whose key can be read leaves the key with [`Value::Broken`]; one whose
//! key cannot leaves [`Table::junk`]. A tree with neither follows TOML 1.1 exactly.

use std::borrow::Cow;
use std::collections::HashMap;

use toml_parser::Source;
use toml_parser::decoder::ScalarKind;
use toml_parser::lexer::{Token, TokenKind};
use toml_parser::parser::{Event, EventKind, RecursionGuard, parse_document};

use super::{cut, syntax, units};
use crate::{Diagnostic, Span, TableStyle};

/// How deep arrays and inline tables may nest, and how many parts a dotted key may have: the
/// readers of the tree recurse.
const MAX_DEPTH: u32 = 64;

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
    fn new(span: Span, insert_at: usize, defined: Defined) -> Self {
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

    fn push(&mut self, entry: Entry<'s>) {
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

/// Reads `text`; what TOML refuses goes to `out`.
pub(crate) fn read<'s>(text: &'s str, out: &mut Vec<Diagnostic>) -> Tree<'s> {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut builder = Builder {
        source,
        out,
        tree: Tree {
            tables: vec![Table::new(Span::default(), 0, Defined::Root)],
            lost: None,
        },
        current: Current::Table(ROOT),
        events: Vec::new(),
        errors: Vec::new(),
        path: Vec::new(),
    };
    let mut depth = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token.kind() {
            TokenKind::Whitespace | TokenKind::Eof => at += 1,
            TokenKind::Newline | TokenKind::Comment => {
                builder.trivia(token);
                at += 1;
            }
            TokenKind::Dot
            | TokenKind::Equals
            | TokenKind::Comma
            | TokenKind::LeftSquareBracket
            | TokenKind::RightSquareBracket
            | TokenKind::LeftCurlyBracket
            | TokenKind::RightCurlyBracket
            | TokenKind::LiteralString
            | TokenKind::BasicString
            | TokenKind::MlLiteralString
            | TokenKind::MlBasicString
            | TokenKind::Atom => {
                let end = cut::statement_end(text, &tokens, at, &mut depth);
                builder.statement(&tokens[at..end]);
                at = end;
            }
        }
    }
    builder.tree
}

/// Where the next key-value pair belongs.
#[derive(Clone, Copy)]
enum Current {
    Table(TableId),
    /// Below a header that was refused: a finding says so, nothing is read here.
    Limbo,
    /// Below a second header of one table: keys that are there already are not reported again.
    Again(TableId),
}

type PathKey<'s> = (Cow<'s, str>, Span);

struct Builder<'s, 'o> {
    source: Source<'s>,
    out: &'o mut Vec<Diagnostic>,
    tree: Tree<'s>,
    current: Current,
    events: Vec<Event>,
    errors: Vec<toml_parser::ParseError>,
    path: Vec<PathKey<'s>>,
}

fn span_of(span: toml_parser::Span) -> Span {
    Span::new(span.start(), span.end())
}

impl<'s> Builder<'s, '_> {
    fn trivia(&mut self, token: &Token) {
        if let Some(raw) = self.source.get(token) {
            if token.kind() == TokenKind::Comment {
                raw.decode_comment(&mut self.errors);
            } else {
                raw.decode_newline(&mut self.errors);
            }
        }
        self.report_errors(span_of(token.span()));
    }

    /// Reports the first error of a statement; the others follow from it.
    fn report_errors(&mut self, statement: Span) -> bool {
        let Some(first) = (self.errors.iter()).min_by_key(|error| {
            error
                .unexpected()
                .map_or(statement.start, |span| span.start())
        }) else {
            return false;
        };
        syntax::report(self.source.input(), statement, first, self.out);
        self.errors.clear();
        true
    }

    fn statement(&mut self, tokens: &[Token]) {
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        {
            let mut guard = RecursionGuard::new(&mut events, MAX_DEPTH);
            parse_document(tokens, &mut guard, &mut self.errors);
        }
        let whole = statement_span(tokens);
        for event in &events {
            if matches!(event.kind(), EventKind::Comment | EventKind::Newline)
                && let Some(raw) = self.source.get(event)
            {
                if event.kind() == EventKind::Comment {
                    raw.decode_comment(&mut self.errors);
                } else {
                    raw.decode_newline(&mut self.errors);
                }
            }
        }
        let line_end = (events.iter().rev())
            .find(|event| !matches!(event.kind(), EventKind::Newline | EventKind::Whitespace))
            .map_or(whole.end, |event| event.span().end());
        match events.first().map(Event::kind) {
            Some(EventKind::StdTableOpen | EventKind::ArrayTableOpen) => {
                self.header(&events, whole, line_end);
            }
            Some(EventKind::SimpleKey) => self.key_value(tokens, &events, whole, line_end),
            Some(_) | None => {
                self.report_errors(whole);
                self.junk(whole);
            }
        }
        self.events = events;
    }

    fn junk(&mut self, whole: Span) {
        match self.current {
            Current::Table(id) | Current::Again(id) => self.tree.tables[id].junk = Some(whole),
            Current::Limbo => {}
        }
    }

    /// Reads the key that starts at `events[at]` into `self.path`; gives the index behind it.
    fn key(&mut self, events: &[Event], mut at: usize) -> usize {
        self.path.clear();
        while let Some(event) = events.get(at) {
            match event.kind() {
                EventKind::SimpleKey => {
                    let mut text = Cow::Borrowed("");
                    if let Some(raw) = self.source.get(event) {
                        raw.decode_key(&mut text, &mut self.errors);
                    }
                    self.path.push((text, span_of(event.span())));
                }
                EventKind::KeySep | EventKind::Whitespace => {}
                EventKind::StdTableOpen
                | EventKind::StdTableClose
                | EventKind::ArrayTableOpen
                | EventKind::ArrayTableClose
                | EventKind::InlineTableOpen
                | EventKind::InlineTableClose
                | EventKind::ArrayOpen
                | EventKind::ArrayClose
                | EventKind::KeyValSep
                | EventKind::Scalar
                | EventKind::ValueSep
                | EventKind::Comment
                | EventKind::Newline
                | EventKind::Error => break,
            }
            at += 1;
        }
        if self.path.len() > MAX_DEPTH as usize {
            let span = Span::new(self.path[0].1.start, self.path[self.path.len() - 1].1.end);
            syntax::too_deep(span, self.out);
            self.path.clear();
        }
        at
    }

    fn header(&mut self, events: &[Event], whole: Span, line_end: usize) {
        let is_array = events[0].kind() == EventKind::ArrayTableOpen;
        let end = self.key(events, 1);
        let close = (events[end..].iter())
            .find(|event| {
                matches!(
                    event.kind(),
                    EventKind::StdTableClose | EventKind::ArrayTableClose
                )
            })
            .map_or(whole.end, |event| event.span().end());
        let span = Span::new(whole.start, close);
        self.report_errors(whole);
        self.open(is_array, span, line_end);
    }

    /// Makes the table of `self.path` the current one.
    fn open(&mut self, is_array: bool, span: Span, line_end: usize) {
        let mut path = std::mem::take(&mut self.path);
        self.current = match path.pop() {
            // An empty name comes from a header that was refused already.
            None => Current::Limbo,
            Some((key, _)) if key.is_empty() => Current::Limbo,
            Some((key, key_span)) => {
                match self.descend(ROOT, &mut path.drain(..), Defined::Implicit) {
                    Some(parent) => self.define(parent, key, key_span, is_array, span, line_end),
                    None => Current::Limbo,
                }
            }
        };
        self.path = path;
        if matches!(self.current, Current::Limbo) {
            self.tree.lost.get_or_insert(span);
        }
    }

    fn define(
        &mut self,
        parent: TableId,
        key: Cow<'s, str>,
        key_span: Span,
        is_array: bool,
        span: Span,
        line_end: usize,
    ) -> Current {
        let Some(at) = self.tree.tables[parent].position(&key) else {
            let id = self.add_table(span, line_end, Defined::Header);
            let value = if is_array {
                Value::Tables(vec![id])
            } else {
                Value::Table(id)
            };
            self.insert(parent, key, key_span, Node { span, value });
            return Current::Table(id);
        };
        let next = self.tree.tables.len();
        let entry = &mut self.tree.tables[parent].entries[at];
        let first = entry.key_span;
        let next = match &mut entry.node.value {
            Value::Tables(ids) if is_array => {
                ids.push(next);
                Current::Table(self.add_table(span, line_end, Defined::Header))
            }
            Value::Table(id) if !is_array => Current::Again(*id),
            Value::Broken => return Current::Limbo,
            Value::Tables(_)
            | Value::Table(_)
            | Value::String(_)
            | Value::Integer(_)
            | Value::Float
            | Value::Boolean(_)
            | Value::Date(_)
            | Value::DateTime
            | Value::Array(_) => Current::Limbo,
        };
        match next {
            Current::Table(_) => next,
            Current::Again(id) if self.tree.tables[id].defined == Defined::Implicit => {
                let entry = &mut self.tree.tables[parent].entries[at];
                entry.key_span = key_span;
                entry.node.span = span;
                let table = &mut self.tree.tables[id];
                table.defined = Defined::Header;
                table.span = span;
                table.insert_at = line_end;
                Current::Table(id)
            }
            Current::Again(_) | Current::Limbo => {
                syntax::twice(&key, key_span, first, self.out);
                next
            }
        }
    }

    fn add_table(&mut self, span: Span, insert_at: usize, defined: Defined) -> TableId {
        self.tree.tables.push(Table::new(span, insert_at, defined));
        self.tree.tables.len() - 1
    }

    fn insert(&mut self, table: TableId, key: Cow<'s, str>, key_span: Span, node: Node<'s>) {
        self.tree.tables[table].push(Entry {
            key,
            key_span,
            node,
        });
    }

    /// Goes down `path` from `table`, making what is missing as `defined` (Implicit for headers,
    /// Dotted for keys).
    fn descend(
        &mut self,
        mut table: TableId,
        path: &mut dyn Iterator<Item = PathKey<'s>>,
        defined: Defined,
    ) -> Option<TableId> {
        for (key, key_span) in path {
            let Some(at) = self.tree.tables[table].position(&key) else {
                let id = self.add_table(key_span, key_span.end, defined);
                let node = Node {
                    span: key_span,
                    value: Value::Table(id),
                };
                self.insert(table, key, key_span, node);
                table = id;
                continue;
            };
            let entry = &self.tree.tables[table].entries[at];
            let next = match &entry.node.value {
                Value::Table(id) => Some(*id),
                Value::Tables(ids) if defined == Defined::Implicit => ids.last().copied(),
                Value::Broken => return None,
                Value::Tables(_)
                | Value::String(_)
                | Value::Integer(_)
                | Value::Float
                | Value::Boolean(_)
                | Value::Date(_)
                | Value::DateTime
                | Value::Array(_) => None,
            };
            let open = next.filter(|&id| match self.tree.tables[id].defined {
                Defined::Implicit | Defined::Dotted => true,
                Defined::Root | Defined::Header => defined == Defined::Implicit,
                Defined::Inline => false,
            });
            let Some(id) = open else {
                let first = entry.key_span;
                syntax::closed(&key, key_span, first, self.out);
                return None;
            };
            if defined == Defined::Dotted {
                self.tree.tables[id].defined = Defined::Dotted;
            }
            table = id;
        }
        Some(table)
    }

    fn key_value(&mut self, tokens: &[Token], events: &[Event], whole: Span, line_end: usize) {
        let mut at = self.key(events, 0);
        if self.path.is_empty() {
            self.errors.clear();
            self.junk(whole);
            return;
        }
        let has_value = events.get(at).map(Event::kind) == Some(EventKind::KeyValSep);
        if !has_value && is_header_without_bracket(tokens) {
            self.report_errors(whole);
            self.open(false, whole, line_end);
            return;
        }
        at += usize::from(has_value);
        while events.get(at).map(Event::kind) == Some(EventKind::Whitespace) {
            at += 1;
        }
        let value_start = events
            .get(at)
            .map_or(whole.end, |event| event.span().start());
        let broken = Node {
            span: Span::new(value_start.min(whole.end), whole.end),
            value: Value::Broken,
        };
        let node = if has_value && self.errors.is_empty() {
            let path = std::mem::take(&mut self.path);
            let mut rest = &events[at..];
            let node = self.value(&mut rest);
            self.path = path;
            if self.report_errors(whole) {
                broken
            } else {
                node
            }
        } else {
            self.report_errors(whole);
            broken
        };
        self.capture(node, whole, line_end);
    }

    /// Puts `node` under `self.path` of the current table.
    fn capture(&mut self, node: Node<'s>, whole: Span, line_end: usize) {
        let (table, again) = match self.current {
            Current::Table(id) => (id, false),
            Current::Again(id) => (id, true),
            Current::Limbo => return,
        };
        let mut path = std::mem::take(&mut self.path);
        if let Some((key, key_span)) = path.pop() {
            let is_broken = matches!(node.value, Value::Broken);
            if key.is_empty() && is_broken {
                self.junk(whole);
            } else {
                self.put(table, &mut path, (key, key_span), node, line_end, again);
            }
        }
        self.path = path;
        let table = &mut self.tree.tables[table];
        table.insert_at = table.insert_at.max(line_end);
    }

    fn put(
        &mut self,
        table: TableId,
        path: &mut Vec<PathKey<'s>>,
        (key, key_span): PathKey<'s>,
        node: Node<'s>,
        line_end: usize,
        again: bool,
    ) {
        let dotted = !path.is_empty();
        let Some(parent) = self.descend(table, &mut path.drain(..), Defined::Dotted) else {
            return;
        };
        if let Some(at) = self.tree.tables[parent].position(&key) {
            if !again && !matches!(node.value, Value::Broken) {
                let first = self.tree.tables[parent].entries[at].key_span;
                syntax::twice(&key, key_span, first, self.out);
            }
            return;
        }
        if dotted {
            let table = &mut self.tree.tables[parent];
            table.insert_at = table.insert_at.max(line_end);
        }
        self.insert(parent, key, key_span, node);
    }

    fn value(&mut self, events: &mut &[Event]) -> Node<'s> {
        let Some((event, rest)) = events.split_first() else {
            return Node {
                span: Span::default(),
                value: Value::Broken,
            };
        };
        *events = rest;
        match event.kind() {
            EventKind::Scalar => self.scalar(event),
            EventKind::ArrayOpen => self.array(event, events),
            EventKind::InlineTableOpen => self.inline_table(event, events),
            EventKind::StdTableOpen
            | EventKind::StdTableClose
            | EventKind::ArrayTableOpen
            | EventKind::ArrayTableClose
            | EventKind::InlineTableClose
            | EventKind::ArrayClose
            | EventKind::SimpleKey
            | EventKind::KeySep
            | EventKind::KeyValSep
            | EventKind::ValueSep
            | EventKind::Whitespace
            | EventKind::Comment
            | EventKind::Newline
            | EventKind::Error => Node {
                span: span_of(event.span()),
                value: Value::Broken,
            },
        }
    }

    fn scalar(&mut self, event: &Event) -> Node<'s> {
        let span = span_of(event.span());
        let mut text = Cow::Borrowed("");
        let kind = match self.source.get(event) {
            Some(raw) => raw.decode_scalar(&mut text, &mut self.errors),
            None => ScalarKind::String,
        };
        let value = match kind {
            ScalarKind::String => Value::String(text),
            ScalarKind::Boolean(value) => Value::Boolean(value),
            ScalarKind::Float => Value::Float,
            ScalarKind::Integer(radix) => {
                Value::Integer(i64::from_str_radix(&text, radix.value()).ok())
            }
            ScalarKind::DateTime => match units::date(&text) {
                units::DateText::Date(days) => Value::Date(days),
                units::DateText::DateTime => Value::DateTime,
                units::DateText::Neither => {
                    syntax::no_such_date(&text, span, self.out);
                    Value::Broken
                }
            },
        };
        Node { span, value }
    }

    fn array(&mut self, open: &Event, events: &mut &[Event]) -> Node<'s> {
        let mut span = span_of(open.span());
        let mut items = Vec::new();
        while let Some((event, rest)) = events.split_first() {
            match event.kind() {
                EventKind::Scalar | EventKind::ArrayOpen | EventKind::InlineTableOpen => {
                    items.push(self.value(events));
                }
                EventKind::ArrayClose => {
                    *events = rest;
                    span.end = event.span().end();
                    break;
                }
                EventKind::StdTableOpen
                | EventKind::StdTableClose
                | EventKind::ArrayTableOpen
                | EventKind::ArrayTableClose
                | EventKind::InlineTableClose
                | EventKind::SimpleKey
                | EventKind::KeySep
                | EventKind::KeyValSep
                | EventKind::ValueSep
                | EventKind::Whitespace
                | EventKind::Comment
                | EventKind::Newline
                | EventKind::Error => *events = rest,
            }
        }
        Node {
            span,
            value: Value::Array(items),
        }
    }

    fn inline_table(&mut self, open: &Event, events: &mut &[Event]) -> Node<'s> {
        let open = span_of(open.span());
        let id = self.add_table(open, open.end, Defined::Inline);
        let mut pending = Vec::new();
        while let Some((event, rest)) = events.split_first() {
            match event.kind() {
                EventKind::SimpleKey => {
                    let skipped = self.key(events, 0);
                    pending = std::mem::take(&mut self.path);
                    *events = &events[skipped..];
                }
                EventKind::Scalar | EventKind::ArrayOpen | EventKind::InlineTableOpen => {
                    let node = self.value(events);
                    let end = node.span.end;
                    if let Some(key) = pending.pop() {
                        self.put(id, &mut pending, key, node, end, false);
                    }
                    self.tree.tables[id].insert_at = end;
                }
                EventKind::InlineTableClose => {
                    *events = rest;
                    self.tree.tables[id].span.end = event.span().end();
                    break;
                }
                EventKind::StdTableOpen
                | EventKind::StdTableClose
                | EventKind::ArrayTableOpen
                | EventKind::ArrayTableClose
                | EventKind::ArrayClose
                | EventKind::KeySep
                | EventKind::KeyValSep
                | EventKind::ValueSep
                | EventKind::Whitespace
                | EventKind::Comment
                | EventKind::Newline
                | EventKind::Error => *events = rest,
            }
        }
        Node {
            span: self.tree.tables[id].span,
            value: Value::Table(id),
        }
    }
}

/// From the first token to the last that is neither white space nor a comment.
fn statement_span(tokens: &[Token]) -> Span {
    let start = tokens.first().map_or(0, |token| token.span().start());
    let end = (tokens.iter().rev())
        .find(|token| {
            !matches!(
                token.kind(),
                TokenKind::Whitespace | TokenKind::Comment | TokenKind::Newline | TokenKind::Eof
            )
        })
        .map_or(start, |token| token.span().end());
    Span::new(start, end)
}

/// `claim]`: a header that lost its bracket.
fn is_header_without_bracket(tokens: &[Token]) -> bool {
    let mut kinds = (tokens.iter().rev()).map(Token::kind).filter(|kind| {
        !matches!(
            kind,
            TokenKind::Whitespace | TokenKind::Comment | TokenKind::Newline | TokenKind::Eof
        )
    });
    kinds.next() == Some(TokenKind::RightSquareBracket)
        && kinds.all(|kind| {
            matches!(
                kind,
                TokenKind::Atom
                    | TokenKind::Dot
                    | TokenKind::BasicString
                    | TokenKind::LiteralString
            )
        })
}
