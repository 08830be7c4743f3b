//! From tokens to the tree, one statement after the other.

use std::borrow::Cow;

use toml_parser::Source;
use toml_parser::lexer::{Token, TokenKind};
use toml_parser::parser::{Event, EventKind, RecursionGuard, parse_document};

use super::tree::{Defined, Entry, Node, ROOT, Table, TableId, Tree, Value};
use super::{cut, syntax};
use crate::{Diagnostic, Span};

/// How deep arrays and inline tables may nest, and how many parts a dotted key may have: the
/// readers of the tree recurse.
const MAX_DEPTH: u32 = 64;

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
        header: Span::default(),
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

pub(super) type PathKey<'s> = (Cow<'s, str>, Span);

pub(super) struct Builder<'s, 'o> {
    pub(super) source: Source<'s>,
    pub(super) out: &'o mut Vec<Diagnostic>,
    pub(super) tree: Tree<'s>,
    current: Current,
    events: Vec<Event>,
    pub(super) errors: Vec<toml_parser::ParseError>,
    pub(super) path: Vec<PathKey<'s>>,
    /// The header of the current table.
    header: Span,
}

pub(super) fn span_of(span: toml_parser::Span) -> Span {
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
        let whole = cut::statement_span(tokens);
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
                let before = self.out.len();
                self.header(&events, whole, line_end);
                self.name_paths(before, &[]);
            }
            Some(EventKind::SimpleKey) => {
                let before = self.out.len();
                self.key_value(tokens, &events, whole, line_end);
                let key = if self.header == whole {
                    &[][..]
                } else {
                    &events
                };
                self.name_paths(before, key);
            }
            Some(_) | None => {
                self.report_errors(whole);
                self.junk(whole);
            }
        }
        self.events = events;
    }

    /// Gives the findings on a header or on a key-value pair their path, as it was written.
    fn name_paths(&mut self, from: usize, events: &[Event]) {
        let text = self.source.input();
        for finding in &mut self.out[from..] {
            let header = text
                .get(self.header.start..self.header.end)
                .unwrap_or_default();
            let key = (events.iter())
                .take_while(|event| {
                    matches!(
                        event.kind(),
                        EventKind::SimpleKey | EventKind::KeySep | EventKind::Whitespace
                    )
                })
                .filter(|event| event.kind() == EventKind::SimpleKey)
                .filter_map(|event| text.get(event.span().start()..event.span().end()));
            let header = header.trim_matches(['[', ']']).trim();
            let parts: Vec<&str> = (Some(header).into_iter().chain(key))
                .filter(|part| !part.is_empty())
                .collect();
            finding.path = parts.join(".");
        }
    }

    fn junk(&mut self, whole: Span) {
        match self.current {
            Current::Table(id) | Current::Again(id) => self.tree.tables[id].junk = Some(whole),
            Current::Limbo => {}
        }
    }

    /// Reads the key that starts at `events[at]` into `self.path`; gives the index behind it.
    pub(super) fn key(&mut self, events: &[Event], mut at: usize) -> usize {
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
        self.header = span;
        let refused = self.report_errors(whole);
        self.open(is_array, refused, span, line_end);
    }

    /// Makes the table of `self.path` the current one.
    fn open(&mut self, is_array: bool, refused: bool, span: Span, line_end: usize) {
        let mut path = std::mem::take(&mut self.path);
        self.current = match path.pop() {
            None => Current::Limbo,
            Some((key, _)) if refused && key.is_empty() => Current::Limbo,
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

    pub(super) fn add_table(&mut self, span: Span, insert_at: usize, defined: Defined) -> TableId {
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
        if !has_value && cut::is_header_without_bracket(tokens) {
            self.report_errors(whole);
            self.header = whole;
            self.open(false, true, whole, line_end);
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
        let swallows_the_rest = matches!(node.value, Value::Broken)
            && whole.end >= self.source.input().trim_end().len()
            && self.source.input()[whole.start..whole.end].contains('\n');
        if swallows_the_rest {
            self.tree.lost.get_or_insert(whole);
        }
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

    pub(super) fn put(
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
}
