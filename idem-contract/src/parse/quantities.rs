//! Values that are counted or measured: numbers, times, sizes, dates.

use std::time::Duration;

use super::decoder::{At, Decoder};
use super::tree::{Entry, Value};
use super::units::{self, UnitError};
use crate::{Fix, Setting, Span, Spanned};

impl Decoder<'_, '_> {
    /// A whole number that is not zero.
    pub(super) fn count(&mut self, at: At<'_>, entry: &Entry<'_>) -> Setting<u32> {
        let node = &entry.node;
        let value = match &node.value {
            Value::Integer(value) => *value,
            Value::Broken => return Setting::Unreadable(node.span),
            Value::String(text) => {
                let digits = (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()))
                    .then(|| text.trim_start_matches('0').to_owned())
                    .filter(|digits| !digits.is_empty());
                let number = digits.as_deref().unwrap_or(example_of(&entry.key));
                let help = format!("write `{} = {number}`, without quotes", entry.key);
                self.wrong_type(node, at.path(&entry.key), "a whole number", help)
                    .fix = digits.map(|digits| Fix::replace(node.span, digits));
                return Setting::Unreadable(node.span);
            }
            Value::Float
            | Value::Boolean(_)
            | Value::Date(_)
            | Value::DateTime
            | Value::Array(_)
            | Value::Tables(_)
            | Value::Table(_) => {
                let help = format!("write `{} = {}`", entry.key, example_of(&entry.key));
                self.wrong_type(node, at.path(&entry.key), "a whole number", help);
                return Setting::Unreadable(node.span);
            }
        };
        match value.and_then(|value| u32::try_from(value).ok()) {
            Some(value) if value > 0 => Setting::Given(Spanned::new(value, node.span)),
            _ => {
                self.invalid(
                    node.span,
                    at.path(&entry.key),
                    format!("`{}` is out of range", entry.key),
                    "zero means never, less means nothing",
                    format!("write a whole number from 1 to {}", u32::MAX),
                );
                Setting::Unreadable(node.span)
            }
        }
    }

    /// A duration that is not zero.
    pub(super) fn duration(&mut self, at: At<'_>, entry: &Entry<'_>) -> Setting<Duration> {
        let setting = self.duration_or_zero(at, entry);
        if let Setting::Given(given) = &setting
            && given.value.is_zero()
        {
            let span = given.span;
            self.zero(span, at.path(&entry.key));
            return Setting::Unreadable(span);
        }
        setting
    }

    fn zero(&mut self, span: Span, path: String) {
        self.invalid(
            span,
            path,
            "a time of zero",
            "zero is over before anything can happen in it",
            "write a longer time, or take the line out",
        );
    }

    pub(super) fn duration_or_zero(&mut self, at: At<'_>, entry: &Entry<'_>) -> Setting<Duration> {
        let node = &entry.node;
        if matches!(node.value, Value::Integer(_) | Value::Float) {
            let number = if let Value::Integer(Some(number @ 1..)) = node.value {
                number
            } else {
                30
            };
            let help = format!(
                "write the unit too: `{} = \"{number}s\"` (ms, s, m, h, d, w)",
                entry.key
            );
            self.wrong_type(node, at.path(&entry.key), "a time with its unit", help);
            return Setting::Unreadable(node.span);
        }
        match self.text(at, entry) {
            Ok(text) => match self.parse_duration(text, node.span, || at.path(&entry.key)) {
                Some(value) => Setting::Given(Spanned::new(value, node.span)),
                None => Setting::Unreadable(node.span),
            },
            Err(span) => Setting::Unreadable(span),
        }
    }

    pub(super) fn parse_duration(
        &mut self,
        text: &str,
        span: Span,
        path: impl FnOnce() -> String,
    ) -> Option<Duration> {
        let error = match units::duration(text) {
            Ok(duration) => return Some(duration),
            Err(error) => error,
        };
        let (message, help) = match error {
            UnitError::Malformed => (
                format!("`{text}` is not a time"),
                "write a whole number and its unit, such as `30s`, `2h` or `1d12h`",
            ),
            UnitError::Unit => (
                format!("`{text}` has a unit that is not known"),
                "the units are ms, s, m (minutes), h, d and w; months and years have no fixed length",
            ),
            UnitError::TooLong => (
                format!("`{text}` is longer than a thousand years"),
                "write a shorter time",
            ),
        };
        self.invalid(
            span,
            path(),
            message,
            "a time that is not understood is not kept",
            help,
        );
        None
    }

    pub(super) fn size(&mut self, at: At<'_>, entry: &Entry<'_>) -> Setting<u64> {
        let node = &entry.node;
        if let Value::Integer(number) = &node.value {
            let number = number.filter(|number| *number > 0);
            let help = match number {
                Some(number) => format!("write the unit too: `{} = \"{number}B\"`", entry.key),
                None => format!("write `{} = \"64KiB\"` (B, KiB, MiB)", entry.key),
            };
            self.wrong_type(node, at.path(&entry.key), "a size with its unit", help)
                .fix = number.map(|number| Fix::replace(node.span, format!("\"{number}B\"")));
            return Setting::Unreadable(node.span);
        }
        let text = match self.text(at, entry) {
            Ok(text) => text,
            Err(span) => return Setting::Unreadable(span),
        };
        let (message, help) = match units::size(text) {
            Ok(0) => ("a size of zero".to_owned(), "write at least `1B`"),
            Ok(bytes) => return Setting::Given(Spanned::new(bytes, node.span)),
            Err(UnitError::Malformed) => (
                format!("`{text}` is not a size"),
                "write a whole number and its unit, such as `64KiB`",
            ),
            Err(UnitError::Unit) => (
                format!("`{text}` has a unit that is not known"),
                "the units are B, KiB (1024 bytes) and MiB",
            ),
            Err(UnitError::TooLong) => (
                format!("`{text}` is larger than any memory"),
                "write a smaller size",
            ),
        };
        self.invalid(
            node.span,
            at.path(&entry.key),
            message,
            "a limit that is not understood limits nothing",
            help,
        );
        Setting::Unreadable(node.span)
    }

    /// A calendar date without quotes, as days since 1970-01-01.
    pub(super) fn date(&mut self, at: At<'_>, entry: &Entry<'_>) -> Setting<i32> {
        let node = &entry.node;
        let fix = match &node.value {
            Value::Date(days) => return Setting::Given(Spanned::new(*days, node.span)),
            Value::Broken => return Setting::Unreadable(node.span),
            Value::String(text) => matches!(units::date(text), units::DateText::Date(_))
                .then(|| Fix::replace(node.span, text.to_string())),
            Value::Integer(_)
            | Value::Float
            | Value::Boolean(_)
            | Value::DateTime
            | Value::Array(_)
            | Value::Tables(_)
            | Value::Table(_) => None,
        };
        self.wrong_type(
            node,
            at.path(&entry.key),
            "a date",
            format!(
                "write `{} = 2027-03-01`, without quotes and without a time",
                entry.key
            ),
        )
        .fix = fix;
        Setting::Unreadable(node.span)
    }
}

/// A number that may stand for `key` where what was written is none.
fn example_of(key: &str) -> &'static str {
    match key {
        "max_attempts" => "5",
        "batch" => "1000",
        _ => "1",
    }
}
