//! Applies the edits that findings offer.

use std::collections::HashSet;

use idem_contract::lock::Lock;
use idem_contract::{Edit, Fix, parse};

use crate::discover::Target;
use crate::engine::{Wanted, lint_one};

/// How often a text is linted anew at most: each round applies every edit that touches no other,
/// and each setting that is missing from one table takes a round.
const ROUNDS: usize = 64;

/// Which edits are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Those that keep behaviour and every comment.
    Safe,
    /// Those that change behaviour or take a comment away, too.
    All,
}

/// A text and what was done to it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fixed {
    /// The text.
    pub(crate) text: Vec<u8>,
    /// How many findings were settled.
    pub(crate) settled: usize,
}

/// Applies edits until none is offered any more. A round that would make the file less readable
/// than it was is not applied, and ends it.
pub(crate) fn fix(
    target: &Target,
    source: &[u8],
    lock: Option<&Lock>,
    wanted: &Wanted,
    reach: Reach,
) -> Fixed {
    let mut fixed = Fixed {
        text: source.to_vec(),
        settled: 0,
    };
    let mut seen = HashSet::new();
    for _ in 0..ROUNDS {
        if !seen.insert(fixed.text.clone()) {
            break;
        }
        let (_, report) = lint_one(target, fixed.text.clone(), lock, wanted);
        let mut offered: Vec<_> = report
            .iter()
            .flat_map(|report| &report.diagnostics)
            .filter_map(|finding| finding.fix.as_ref())
            .filter(|fix| reach == Reach::All || is_safe(fix, &fixed.text))
            .collect();
        offered.sort_by_key(|fix| fix.edits.iter().map(|edit| edit.span).min());
        let chosen = apart(&offered);
        if chosen.is_empty() {
            break;
        }
        let edits: Vec<_> = chosen.iter().flat_map(|fix| &fix.edits).collect();
        let Some(text) = apply(&fixed.text, edits) else {
            break;
        };
        if mistakes(&text) > mistakes(&fixed.text) {
            break;
        }
        fixed.settled += chosen.len();
        fixed.text = text;
    }
    fixed
}

/// Whether an edit may be made without asking. A `#` in what goes away may begin a comment.
fn is_safe(fix: &Fix, text: &[u8]) -> bool {
    fix.safe
        && fix.edits.iter().all(|edit| {
            text.get(edit.span.start..edit.span.end)
                .is_some_and(|removed| !removed.contains(&b'#'))
        })
}

/// Those of `offered`, in order, that touch no earlier one. Two insertions at one place touch: each
/// may open the same table.
fn apart<'f>(offered: &[&'f Fix]) -> Vec<&'f Fix> {
    let mut taken: Vec<&Edit> = Vec::new();
    let mut chosen = Vec::new();
    for fix in offered {
        let touches = fix.edits.iter().any(|edit| {
            taken
                .iter()
                .any(|other| edit.span.start <= other.span.end && other.span.start <= edit.span.end)
        });
        if !touches && !fix.edits.is_empty() {
            taken.extend(&fix.edits);
            chosen.push(*fix);
        }
    }
    chosen
}

/// `text` after the edits; `None` where one does not fit into it.
fn apply(text: &[u8], mut edits: Vec<&Edit>) -> Option<Vec<u8>> {
    edits.sort_by_key(|edit| edit.span);
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(text.get(at..edit.span.start)?);
        out.extend_from_slice(edit.text.as_bytes());
        at = edit.span.end;
    }
    out.extend_from_slice(text.get(at..)?);
    Some(out)
}

/// How much of a text is not understood.
fn mistakes(text: &[u8]) -> usize {
    let parsed = parse(text);
    let broken = |rule| matches!(rule, "invalid-syntax" | "unreadable-file");
    parsed
        .diagnostics
        .iter()
        .filter(|finding| broken(finding.rule))
        .count()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use idem_contract::{Edit, Fix, Span};

    use super::{Reach, apart, apply, fix, is_safe};
    use crate::discover::Discovery;
    use crate::engine::Wanted;

    const REFUND: &str = include_str!("../../contracts/refund-order.toml");

    fn edit(start: usize, end: usize, text: &str) -> Fix {
        Fix {
            safe: true,
            edits: vec![Edit {
                span: Span::new(start, end),
                text: text.to_owned(),
            }],
        }
    }

    fn fixed(text: &str, reach: Reach) -> (String, usize) {
        let target = Discovery::new(Path::new("/"))
            .standard_input(Path::new("refund-order.toml"), true)
            .expect("no configuration in the way");
        let fixed = fix(&target, text.as_bytes(), None, &Wanted::default(), reach);
        let text = String::from_utf8(fixed.text).expect("text stays text");
        (text, fixed.settled)
    }

    #[test]
    fn two_edits_at_one_place_are_made_one_after_the_other() {
        let (first, second, third) = (edit(3, 3, "a"), edit(3, 3, "b"), edit(5, 6, "c"));
        let chosen = apart(&[&first, &second, &third]);
        assert_eq!(chosen, [&first, &third]);
        let edits = chosen.iter().flat_map(|fix| &fix.edits).collect();
        assert_eq!(apply(b"0123456", edits).as_deref(), Some(&b"012a34c6"[..]));
    }

    #[test]
    fn an_edit_that_does_not_fit_is_not_made() {
        assert_eq!(apply(b"0123", edit(2, 9, "").edits.iter().collect()), None);
    }

    #[test]
    fn a_comment_is_taken_away_only_when_that_is_said() {
        assert!(is_safe(&edit(0, 5, ""), b"a = 1\n# why\n"));
        assert!(!is_safe(&edit(0, 8, ""), b"a = 1\n# why\n"));
    }

    #[test]
    fn settings_that_are_missing_are_written_one_by_one_and_the_rest_stays_as_it_is() {
        let broken: String = REFUND
            .lines()
            .filter(|line| !line.starts_with("lease") && !line.starts_with("max_attempts"))
            .map(|line| format!("{line}\n"))
            .collect();
        let (text, settled) = fixed(&broken, Reach::Safe);
        assert_eq!(settled, 2, "{text}");
        assert_eq!(fixed(&text, Reach::All), (text.clone(), 0));
        for line in broken.lines() {
            assert!(text.contains(line), "{line} is gone from\n{text}");
        }
    }

    #[test]
    fn a_clean_contract_is_left_alone() {
        assert_eq!(fixed(REFUND, Reach::All), (REFUND.to_owned(), 0));
    }
}
