//! Two texts, line by line.

use std::fmt::Write;

/// How many lines around a change are shown.
const CONTEXT: usize = 3;

/// Above this many pairs of changed lines, the lines are not compared one by one.
const WORTH_COMPARING: usize = 4_000_000;

/// A line of both texts or of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line<'a> {
    Both(&'a str),
    Old(&'a str),
    New(&'a str),
}

/// What changes from `old` to `new`, as a patch of the file `name`; empty where nothing does.
pub(crate) fn unified(name: &str, old: &str, new: &str) -> String {
    let lines = compare(
        &old.split_inclusive('\n').collect::<Vec<_>>(),
        &new.split_inclusive('\n').collect::<Vec<_>>(),
    );
    let changed: Vec<_> = (0..lines.len())
        .filter(|at| !matches!(lines[*at], Line::Both(_)))
        .collect();
    let mut out = String::new();
    if changed.is_empty() {
        return out;
    }
    // Writing to a string cannot fail.
    let _ = write!(out, "--- a/{name}\n+++ b/{name}\n");
    let mut rest = changed.as_slice();
    while let Some(first) = rest.first() {
        let in_hunk = rest
            .windows(2)
            .take_while(|pair| pair[1] - pair[0] <= 2 * CONTEXT + 1)
            .count()
            + 1;
        let start = first.saturating_sub(CONTEXT);
        let end = (rest[in_hunk - 1] + 1 + CONTEXT).min(lines.len());
        hunk(&mut out, &lines, start, end);
        rest = &rest[in_hunk..];
    }
    out
}

fn hunk(out: &mut String, lines: &[Line<'_>], start: usize, end: usize) {
    let old = |lines: &[Line<'_>]| {
        lines
            .iter()
            .filter(|line| !matches!(line, Line::New(_)))
            .count()
    };
    let new = |lines: &[Line<'_>]| {
        lines
            .iter()
            .filter(|line| !matches!(line, Line::Old(_)))
            .count()
    };
    let (before, shown) = (&lines[..start], &lines[start..end]);
    // An empty side is numbered by the line before it.
    let place = |before: usize, count: usize| if count == 0 { before } else { before + 1 };
    let _ = writeln!(
        out,
        "@@ -{},{} +{},{} @@",
        place(old(before), old(shown)),
        old(shown),
        place(new(before), new(shown)),
        new(shown),
    );
    for line in shown {
        let (sign, text) = match line {
            Line::Both(text) => (' ', text),
            Line::Old(text) => ('-', text),
            Line::New(text) => ('+', text),
        };
        out.push(sign);
        out.push_str(text);
        if !text.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Pairs up equal lines, as many as possible.
fn compare<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Line<'a>> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tail = old[head..]
        .iter()
        .rev()
        .zip(new[head..].iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (a, b) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let mut lines: Vec<_> = old[..head].iter().map(|line| Line::Both(line)).collect();
    if a.len() * b.len() > WORTH_COMPARING {
        lines.extend(a.iter().map(|line| Line::Old(line)));
        lines.extend(b.iter().map(|line| Line::New(line)));
    } else {
        middle(a, b, &mut lines);
    }
    lines.extend(old[old.len() - tail..].iter().map(|line| Line::Both(line)));
    lines
}

/// `common[i][j]`: the longest common subsequence of `a[i..]` and `b[j..]`.
fn middle<'a>(a: &[&'a str], b: &[&'a str], lines: &mut Vec<Line<'a>>) {
    let mut common = vec![vec![0_usize; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] = if a[i] == b[j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            lines.push(Line::Both(a[i]));
            i += 1;
            j += 1;
        } else if j == b.len() || i < a.len() && common[i + 1][j] >= common[i][j + 1] {
            lines.push(Line::Old(a[i]));
            i += 1;
        } else {
            lines.push(Line::New(b[j]));
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unified;

    #[test]
    fn equal_texts_give_no_patch() {
        assert_eq!(unified("a", "x\ny\n", "x\ny\n"), "");
    }

    #[test]
    fn changes_far_from_each_other_are_hunks_of_their_own() {
        let old: String = (1..=20).map(|n| format!("{n}\n")).collect();
        let new = old
            .replacen("2\n", "two\n", 1)
            .replace("19\n", "19\nmore\n");
        assert_eq!(
            unified("a.toml", &old, &new),
            "--- a/a.toml\n+++ b/a.toml\n\
             @@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n 5\n\
             @@ -17,4 +17,5 @@\n 17\n 18\n 19\n+more\n 20\n"
        );
    }

    #[test]
    fn a_last_line_without_an_end_is_told() {
        assert_eq!(
            unified("a", "x", "x\n"),
            "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-x\n\\ No newline at end of file\n+x\n"
        );
    }

    #[test]
    fn a_text_from_nothing_is_numbered_from_nothing() {
        assert_eq!(
            unified("a", "", "x\n"),
            "--- a/a\n+++ b/a\n@@ -0,0 +1,1 @@\n+x\n"
        );
    }
}
