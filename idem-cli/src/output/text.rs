//! Text on its way to a reader.

use std::borrow::Cow;
use std::ops::Range;

use idem_contract::Span;

/// `source` as text of the same length, so that spans still hold: a byte that is not part of a
/// character becomes `?`.
pub(super) fn readable(source: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(source) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            let mut text = String::with_capacity(source.len());
            for chunk in source.utf8_chunks() {
                text.push_str(chunk.valid());
                text.extend(chunk.invalid().iter().map(|_| '?'));
            }
            Cow::Owned(text)
        }
    }
}

/// `span` inside `text`, on whole characters.
pub(super) fn within(text: &str, span: Span) -> Range<usize> {
    let start = text.floor_char_boundary(span.start.min(text.len()));
    let end = text.ceil_char_boundary(span.end.clamp(start, text.len()));
    start..end
}

/// `text` on one line and without control characters: what a contract says must not steer a terminal.
pub(super) fn line(text: &str) -> Cow<'_, str> {
    if text.chars().any(char::is_control) {
        Cow::Owned(
            text.chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .collect(),
        )
    } else {
        Cow::Borrowed(text)
    }
}

/// `1 error`, `2 errors`.
pub(crate) fn count(number: usize, one: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {one}{plural}")
}

#[cfg(test)]
mod tests {
    use idem_contract::Span;

    use super::{line, readable, within};

    #[test]
    fn broken_bytes_keep_their_place() {
        let source = b"a\xff\xfeb\xc3\xa9";
        let text = readable(source);
        assert_eq!(text, "a??bé");
        assert_eq!(text.len(), source.len());
    }

    #[test]
    fn a_span_never_cuts_a_character() {
        assert_eq!(within("aé", Span::new(2, 2)), 1..3);
        assert_eq!(within("aé", Span::new(9, 12)), 3..3);
    }

    #[test]
    fn an_escape_sequence_does_not_reach_the_terminal() {
        assert_eq!(line("a\u{1b}[31mb\nc"), "a [31mb c");
    }
}
