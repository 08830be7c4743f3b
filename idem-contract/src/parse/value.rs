//! Values: scalars, arrays and inline tables, from the events of one statement.

use std::borrow::Cow;

use toml_parser::decoder::ScalarKind;
use toml_parser::parser::{Event, EventKind};

use super::build::{Builder, span_of};
use super::tree::{Defined, Node, Value};
use super::{syntax, units};
use crate::Span;

impl<'s> Builder<'s, '_> {
    pub(super) fn value(&mut self, events: &mut &[Event]) -> Node<'s> {
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
