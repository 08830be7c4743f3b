//! Lines and columns for byte offsets.

/// A place as an editor shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// From 1, in Unicode scalar values.
    pub column: usize,
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct LineIndex<'s> {
    source: &'s [u8],
    starts: Vec<usize>,
}

impl<'s> LineIndex<'s> {
    /// Finds the lines of `source`. It may hold broken UTF-8.
    #[must_use]
    pub fn new(source: &'s [u8]) -> Self {
        let mut starts = vec![0];
        starts.extend(
            (source.iter().enumerate())
                .filter(|(_, byte)| **byte == b'\n')
                .map(|(at, _)| at + 1),
        );
        Self { source, starts }
    }

    /// Line and column of a byte. An offset behind the end counts as the end; one inside a
    /// character counts as the column behind it. A byte-order mark has no width.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.source.len());
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        let mut before = &self.source[start..offset];
        if line == 1 {
            before = before.strip_prefix(b"\xef\xbb\xbf").unwrap_or(before);
        }
        // Every byte that does not continue a character begins one; a broken byte counts as one.
        let column = 1 + before.iter().filter(|byte| (**byte & 0xc0) != 0x80).count();
        Position { line, column }
    }

    /// The text of a line (from 1) without its line break, where it exists.
    #[must_use]
    pub fn line(&self, line: usize) -> Option<&'s [u8]> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let end = self
            .starts
            .get(line)
            .map_or(self.source.len(), |next| next - 1);
        let text = &self.source[start..end];
        Some(text.strip_suffix(b"\r").unwrap_or(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(source: &str, offset: usize) -> (usize, usize) {
        let position = LineIndex::new(source.as_bytes()).position(offset);
        (position.line, position.column)
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        let text = "a = \"é🦀b\"\nc";
        assert_eq!(at(text, 0), (1, 1));
        assert_eq!(at(text, 5), (1, 6));
        assert_eq!(at(text, 7), (1, 7));
        assert_eq!(at(text, 11), (1, 8));
        assert_eq!(at(text, text.len() - 1), (2, 1));
        assert_eq!(at(text, text.len()), (2, 2));
        assert_eq!(at(text, 9999), (2, 2));
    }

    #[test]
    fn carriage_returns_belong_to_their_line() {
        let text = "ab\r\ncd\r\n";
        assert_eq!(at(text, 4), (2, 1));
        assert_eq!(at(text, 8), (3, 1));
        let index = LineIndex::new(text.as_bytes());
        assert_eq!(index.line(1), Some(&b"ab"[..]));
        assert_eq!(index.line(3), Some(&b""[..]));
        assert_eq!(index.line(4), None);
        assert_eq!(index.line(0), None);
    }

    #[test]
    fn a_byte_order_mark_has_no_width() {
        assert_eq!(at("\u{feff}ab", 3), (1, 1));
        assert_eq!(at("\u{feff}ab", 4), (1, 2));
        assert_eq!(at("\u{feff}ab", 0), (1, 1));
    }

    #[test]
    fn an_empty_text_has_one_line() {
        assert_eq!(at("", 0), (1, 1));
    }
}
