//! What TOML itself refuses, in plain words.

use toml_parser::ParseError;

use crate::{Diagnostic, Findings, Fix, Span, rules};

const WHY: &str = "the file is TOML, and this line is not: nothing behind the mistake is certain";

/// What version control writes around two versions of some lines.
const MARKERS: [&str; 3] = ["<<<<<<<", "|||||||", ">>>>>>>"];

/// Reports the first mistake of the statement at `statement`.
pub(super) fn report(text: &str, statement: Span, error: &ParseError, out: &mut Vec<Diagnostic>) {
    let unexpected = error
        .unexpected()
        .map_or(statement, |span| Span::new(span.start(), span.end()));
    let context = error
        .context()
        .map(|span| Span::new(span.start(), span.end()));
    let written = text
        .get(unexpected.start..unexpected.end)
        .unwrap_or_default();
    let mut fix = None;
    let mut span = unexpected;
    let (message, help) = match error.description() {
        "key with no value"
            if text
                .get(..statement.end)
                .is_some_and(|text| text.ends_with(']')) =>
        {
            span = statement;
            (
                "a name without a value, or a table without its opening bracket".to_owned(),
                "write `[name]` for a table, `name = value` for a setting".to_owned(),
            )
        }
        "key with no value" | "missing value for key" => {
            span = statement;
            (
                "a name without a value".to_owned(),
                "write `name = value` on one line; a text value stands in quotes".to_owned(),
            )
        }
        _ if MARKERS.iter().any(|marker| written.starts_with(marker))
            || text
                .get(statement.start..)
                .is_some_and(|text| text.starts_with("=======")) =>
        {
            span = statement;
            (
                "a merge conflict was left in the file".to_owned(),
                "decide between the two versions and take the marker out".to_owned(),
            )
        }
        "invalid unquoted key" if written.starts_with(':') => (
            "`:` where `=` is wanted".to_owned(),
            "write `name = value`".to_owned(),
        ),
        "unexpected key or value"
            if text
                .get(unexpected.start..)
                .is_some_and(|rest| rest.starts_with(',')) =>
        {
            (
                "a comma behind the value".to_owned(),
                "take the comma out: each setting ends with its line".to_owned(),
            )
        }
        "unexpected leading zero" => (
            "a number with a leading zero".to_owned(),
            "write the number without it".to_owned(),
        ),
        other
            if other.starts_with("invalid") && other.ends_with("string") && is_unclosed(error) =>
        {
            span = context.unwrap_or(span);
            let line = text.get(span.start..span.end).unwrap_or_default();
            span.end = span.start + line.find(['\n', '\r']).unwrap_or(line.len());
            let quotes = ["\"\"\"", "'''", "\""]
                .into_iter()
                .find(|open| line.starts_with(open));
            (
                "this text is never closed".to_owned(),
                format!("write `{}` at its end", quotes.unwrap_or("'")),
            )
        }
        "missing value" => (
            "the value is missing".to_owned(),
            "write a value behind `=`, or take the line out".to_owned(),
        ),
        "string values must be quoted" | "invalid string" if written.trim().is_empty() => {
            span = statement;
            (
                "the value is missing".to_owned(),
                "write a value behind `=`, or take the line out".to_owned(),
            )
        }
        "invalid boolean" | "invalid float" | "string values must be quoted"
            if matches!(
                written,
                "yes" | "no" | "on" | "off" | "True" | "False" | "TRUE" | "FALSE"
            ) =>
        {
            (
                format!("`{written}` is neither true nor false"),
                "write `true` or `false`".to_owned(),
            )
        }
        "invalid boolean" | "invalid float" | "string values must be quoted"
            if written.starts_with(char::is_alphabetic)
                || error.description() == "string values must be quoted" =>
        {
            if written
                .chars()
                .all(|c| c.is_ascii_graphic() && !matches!(c, '"' | '\\' | '\''))
            {
                fix = Some(Fix::replace(span, format!("\"{written}\"")));
            }
            (
                format!("`{}` is text without quotes", short(written)),
                format!("write `\"{}\"`", short(written)),
            )
        }
        "unclosed array" => {
            span = context.unwrap_or(span);
            (
                "this list is never closed".to_owned(),
                "write `]` behind the last item".to_owned(),
            )
        }
        "unclosed inline table" => {
            span = context.unwrap_or(span);
            (
                "this `{` is never closed".to_owned(),
                "write `}` behind the last entry".to_owned(),
            )
        }
        "unclosed table" => (
            "the table's name is not closed".to_owned(),
            "write `]` behind the name".to_owned(),
        ),
        "unclosed array table" => (
            "the table's name is not closed".to_owned(),
            "write `]]` behind the name".to_owned(),
        ),
        "missing table open" => {
            span = statement;
            (
                "this table's name has no opening bracket".to_owned(),
                "write `[` before the name".to_owned(),
            )
        }
        "missing comma between array elements" => (
            "two items without a comma between them".to_owned(),
            "write `,` between the items of a list".to_owned(),
        ),
        "missing comma between key-value pairs" => (
            "two entries without a comma between them".to_owned(),
            "write `,` between the entries inside `{ … }`".to_owned(),
        ),
        "missing assignment between key-value pairs" => (
            "`=` is missing between name and value".to_owned(),
            "write `name = value`".to_owned(),
        ),
        "extra comma in array" | "extra comma in inline table" => (
            "a comma too many".to_owned(),
            "take the comma out".to_owned(),
        ),
        "extra `=`" | "extra assignment between key-value pairs" => (
            "one `=` too many".to_owned(),
            "keep one `=` between name and value".to_owned(),
        ),
        "unexpected `=` in array" => (
            "`=` inside a list".to_owned(),
            "close the list with `]`; entries with a name stand in `{ … }`".to_owned(),
        ),
        "unexpected key or value" => (
            "something is left over behind the value".to_owned(),
            "start a new line, or put the whole text in quotes".to_owned(),
        ),
        "invalid unquoted key" => (
            format!("`{}` cannot stand in a name without quotes", short(written)),
            "names are made of letters, digits, `_` and `-`; write `name = value`".to_owned(),
        ),
        "unquoted keys cannot be empty" => {
            span = statement;
            (
                "a name is missing here".to_owned(),
                "write `name = value`, or `[name]` for a table".to_owned(),
            )
        }
        "cannot recurse further; max recursion depth met" => (
            "brackets nested too deep".to_owned(),
            "a contract needs two levels at most: take the brackets apart".to_owned(),
        ),
        "carriage return must be followed by newline" => (
            "a carriage return without a line feed".to_owned(),
            "end lines with LF or CRLF".to_owned(),
        ),
        other => (
            if other.starts_with(char::is_uppercase) {
                other.to_lowercase()
            } else {
                other.to_owned()
            },
            expected(error),
        ),
    };
    let at = visible(text, span);
    let found = &mut Findings::new(&rules::INVALID_SYNTAX, out);
    let diagnostic = found.report(at, "", message, WHY, help);
    diagnostic.fix = fix;
}

/// Whether a text lacks the quotes at its end.
fn is_unclosed(error: &ParseError) -> bool {
    matches!(
        error.expected(),
        Some([toml_parser::Expected::Literal(
            "\"" | "'" | "\"\"\"" | "'''"
        )])
    )
}

fn expected(error: &ParseError) -> String {
    let words: Vec<String> = (error.expected().unwrap_or_default().iter())
        .map(|expected| match expected {
            toml_parser::Expected::Literal("\n") => "a line break".to_owned(),
            toml_parser::Expected::Literal(text) => format!("`{text}`"),
            toml_parser::Expected::Description(text) => (*text).to_owned(),
            _ => "something else".to_owned(),
        })
        .collect();
    if words.is_empty() {
        "take it out, or write the line as `name = value`".to_owned()
    } else {
        format!("write {} here", words.join(" or "))
    }
}

/// The span, or, where it is empty, the word there or the character before: something to underline.
fn visible(text: &str, span: Span) -> Span {
    if span.start < span.end {
        return span;
    }
    let at = span.start.min(text.len());
    let word =
        |c: char| !c.is_whitespace() && !matches!(c, '=' | ',' | '[' | ']' | '{' | '}' | '#');
    let after = text.get(at..).unwrap_or_default();
    let length = after.find(|c| !word(c)).unwrap_or(after.len());
    if length > 0 {
        return Span::new(at, at + length);
    }
    if let Some(next) = after.chars().next()
        && !next.is_whitespace()
    {
        return Span::new(at, at + next.len_utf8());
    }
    match text.get(..at).and_then(|rest| rest.chars().next_back()) {
        Some(before) if before != '\n' => Span::new(at - before.len_utf8(), at),
        Some(_) | None => Span::new(at, at),
    }
}

/// At most 40 characters of what was written.
fn short(written: &str) -> String {
    let line = written.lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// A name that was written twice.
pub(super) fn twice(name: &str, again: Span, first: Span, out: &mut Vec<Diagnostic>) {
    Findings::new(&rules::INVALID_SYNTAX, out)
        .report(
            again,
            "",
            format!("`{name}` is written twice"),
            "only one of the two can hold, and TOML does not say which",
            "keep one of them",
        )
        .also(first, "first written here");
}

/// A dotted key or header that reaches into something that is complete already.
pub(super) fn closed(name: &str, again: Span, first: Span, out: &mut Vec<Diagnostic>) {
    Findings::new(&rules::INVALID_SYNTAX, out)
        .report(
            again,
            "",
            format!("`{name}` is not a table that can be added to here"),
            "it has a value of its own, or was written as one table already",
            "write all its entries in one place",
        )
        .also(first, "first written here");
}

/// A dotted key with too many parts.
pub(super) fn too_deep(span: Span, out: &mut Vec<Diagnostic>) {
    Findings::new(&rules::INVALID_SYNTAX, out).report(
        span,
        "",
        "a name with too many dots",
        "no contract needs more than a few levels",
        "write at most 64 parts",
    );
}

/// A date that the calendar does not have.
pub(super) fn no_such_date(text: &str, span: Span, out: &mut Vec<Diagnostic>) {
    Findings::new(&rules::INVALID_SYNTAX, out).report(
        span,
        "",
        format!("`{}` is not a date", short(text)),
        "no calendar has this day",
        "write year, month and day as `2027-03-01`; text stands in quotes",
    );
}
