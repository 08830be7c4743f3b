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
    /// How many characters begin before each block of the text: a line may be a mebibyte long, and
    /// tens of thousands of findings may lie on it.
    characters: Vec<usize>,
}

const BLOCK: usize = 256;

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
        let mut characters = vec![0];
        let mut begun = 0;
        for block in source.chunks(BLOCK) {
            begun += begun_in(block);
            characters.push(begun);
        }
        Self {
            source,
            starts,
            characters,
        }
    }

    /// Line and column of a byte. An offset behind the end counts as the end; one inside a
    /// character counts as the column behind it. A byte-order mark has no width.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.source.len());
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        let is_marked = line == 1 && self.source[..offset].starts_with(b"\xef\xbb\xbf");
        let column =
            1 + self.begun_before(offset) - self.begun_before(start) - usize::from(is_marked);
        Position { line, column }
    }

    fn begun_before(&self, offset: usize) -> usize {
        let block = offset / BLOCK;
        self.characters[block] + begun_in(&self.source[block * BLOCK..offset])
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

/// Every byte that does not continue a character begins one; a broken byte counts as one.
fn begun_in(bytes: &[u8]) -> usize {
    (bytes.iter())
        .filter(|byte| (**byte & 0xc0) != 0x80)
        .count()
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
    fn a_long_line_counts_like_a_short_one() {
        let text = format!("\u{feff}{}\n{}", "aé🦀".repeat(400), "🦀b".repeat(700));
        let index = LineIndex::new(text.as_bytes());
        let (mut line, mut column) = (1, 1);
        for (at, character) in text.char_indices().skip(1) {
            assert_eq!(index.position(at), Position { line, column }, "at {at}");
            (line, column) = match character {
                '\n' => (line + 1, 1),
                _ => (line, column + 1),
            };
        }
        assert_eq!(index.position(text.len()), Position { line, column });
        let blocks = "a".repeat(2 * BLOCK);
        assert_eq!(at(&blocks, 2 * BLOCK), (1, 2 * BLOCK + 1));
    }

    #[test]
    fn an_empty_text_has_one_line() {
        assert_eq!(at("", 0), (1, 1));
    }
}
