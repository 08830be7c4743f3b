//! The string literals of a Rust file, without a Rust parser.

/// A string literal: its first line, from 1, and the text between its quotes, escapes untouched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Literal<'t> {
    pub(super) line: usize,
    pub(super) text: &'t str,
}

/// Every string literal of `source`, comments and `char` literals left out.
pub(super) fn literals(source: &str) -> Vec<Literal<'_>> {
    let bytes = source.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if rest.starts_with(b"//") {
            at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"/*") {
            at += comment(rest);
        } else if let Some(hashes) = raw(bytes, at) {
            let start = at + hashes + 2;
            let end = raw_end(bytes, start, hashes);
            out.push(literal(source, start, end));
            at = end + 1 + hashes;
        } else if rest[0] == b'"' {
            let end = string_end(bytes, at + 1);
            out.push(literal(source, at + 1, end));
            at = end + 1;
        } else if rest[0] == b'\'' {
            at += character(rest);
        } else {
            at += 1;
        }
    }
    out
}

fn literal(source: &str, start: usize, end: usize) -> Literal<'_> {
    let line = source[..start].matches('\n').count() + 1;
    Literal {
        line,
        text: source.get(start..end).unwrap_or_default(),
    }
}

/// Length of a block comment, which may hold others.
fn comment(rest: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while at < rest.len() {
        match &rest[at..] {
            [b'/', b'*', ..] => (at, depth) = (at + 2, depth + 1),
            [b'*', b'/', ..] => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// How many `#` stand between `r` and the quote, when a raw string begins at `at`.
fn raw(bytes: &[u8], at: usize) -> Option<usize> {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    // `r` ends the words `br` and `cr`, which are raw too, but not `other`.
    let prefix = bytes[..at].iter().rev().take_while(|b| is_word(b)).count();
    let fits = prefix == 0 || (prefix == 1 && matches!(bytes[at - 1], b'b' | b'c'));
    if bytes[at] != b'r' || !fits {
        return None;
    }
    let hashes = bytes[at + 1..].iter().take_while(|b| **b == b'#').count();
    (bytes.get(at + 1 + hashes) == Some(&b'"')).then_some(hashes)
}

fn raw_end(bytes: &[u8], start: usize, hashes: usize) -> usize {
    (start..bytes.len())
        .find(|end| {
            bytes[*end] == b'"'
                && bytes[end + 1..]
                    .iter()
                    .take(hashes)
                    .filter(|b| **b == b'#')
                    .count()
                    == hashes
        })
        .unwrap_or(bytes.len())
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

/// Length of a `char` literal; of a lifetime, its quote alone.
fn character(rest: &[u8]) -> usize {
    match rest {
        // Up to `'\u{10ffff}'`: the quote that ends it comes within 12 bytes.
        [_, b'\\', _, tail @ ..] => tail
            .iter()
            .take(12)
            .position(|b| *b == b'\'')
            .map_or(1, |end| end + 4),
        [_, tail @ ..] => {
            let width = match tail.first() {
                Some(0xf0..) => 4,
                Some(0xe0..) => 3,
                Some(0xc0..) => 2,
                Some(_) | None => 1,
            };
            if tail.get(width) == Some(&b'\'') {
                width + 2
            } else {
                1
            }
        }
        [] => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::literals;

    fn texts(source: &str) -> Vec<(usize, &str)> {
        literals(source)
            .into_iter()
            .map(|found| (found.line, found.text))
            .collect()
    }

    #[test]
    fn literals_are_found_and_what_looks_like_one_is_not() {
        let source = concat!(
            "// \"comment\"\n",
            "/* \"block /* nested */ \" */ let a = \"one\";\n",
            "let q = '\"'; let l: &'static str = r#\"t\"wo\"#;\n",
            "let e = '\\''; f(b\"three \\\" quoted\", br\"four\", for_r\"\");\n",
            "'\\u{22}' + \"fünf\n",
            "lines\"",
        );
        assert_eq!(
            texts(source),
            [
                (2, "one"),
                (3, "t\"wo"),
                (4, "three \\\" quoted"),
                (4, "four"),
                (4, ""),
                (5, "fünf\nlines"),
            ]
        );
    }

    #[test]
    fn an_unfinished_literal_ends_with_the_file() {
        assert_eq!(texts("let a = \"open \\"), [(1, "open \\")]);
        assert_eq!(texts("r##\"open\"#"), [(1, "open\"#")]);
        assert_eq!(texts("/* open"), []);
    }
}
