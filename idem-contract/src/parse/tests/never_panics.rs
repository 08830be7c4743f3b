//! Any bytes give a contract and findings, with spans inside the text.

use std::time::Instant;

use proptest::prelude::*;

use super::REFERENCE;
use crate::{Diagnostic, LintOptions, lint, parse};

/// Every place that a finding names lies in the text and on the borders of its characters.
fn spans_fit(source: &[u8], found: &[Diagnostic]) -> Result<(), TestCaseError> {
    let text = std::str::from_utf8(source);
    for finding in found {
        let spans = (finding.related.iter().map(|related| related.span))
            .chain(
                finding
                    .fix
                    .iter()
                    .flat_map(|fix| fix.edits.iter().map(|edit| edit.span)),
            )
            .chain([finding.span]);
        for span in spans {
            prop_assert!(
                span.start <= span.end && span.end <= source.len(),
                "{finding:?}"
            );
            if let Ok(text) = text {
                prop_assert!(text.is_char_boundary(span.start), "{finding:?}");
                prop_assert!(text.is_char_boundary(span.end), "{finding:?}");
            }
        }
        prop_assert!(
            !finding.message.is_empty() && !finding.help.is_empty(),
            "{finding:?}"
        );
    }
    Ok(())
}

fn check(source: &[u8]) -> Result<(), TestCaseError> {
    let options = LintOptions {
        file_stem: Some("refund-order"),
        today: 20_787,
    };
    let linted = lint(source, &options);
    spans_fit(source, &linted.diagnostics)?;
    let again = lint(source, &options);
    prop_assert_eq!(linted.diagnostics, again.diagnostics);
    Ok(())
}

/// Replaces, doubles, swaps and removes pieces of a contract.
fn mutated(text: &str, edits: &[(u8, prop::sample::Index, prop::sample::Index, String)]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for (kind, from, length, insert) in edits {
        if text.is_empty() {
            break;
        }
        let start = from.index(text.len());
        let end = (start + length.index(40)).min(text.len());
        let piece: Vec<char> = text[start..end].to_vec();
        match kind % 4 {
            0 => drop(text.drain(start..end)),
            1 => drop(text.splice(start..start, piece)),
            2 => drop(text.splice(start..end, insert.chars())),
            _ => drop(text.splice(start..start, insert.chars())),
        }
    }
    text.into_iter().collect()
}

const WORDS: &[&str] = &[
    "contract",
    "workflow",
    "version",
    "owner",
    "trigger",
    "payload",
    "key",
    "fields",
    "tenant",
    "previous",
    "request",
    "hash",
    "ignore",
    "claim",
    "lease",
    "window",
    "busy",
    "effects",
    "name",
    "kind",
    "ordering",
    "entity",
    "allow",
    "rule",
    "field",
    "reason",
    "until",
    "type",
    "origin",
    "default",
    "values",
    "\"30s\"",
    "\"wait 2s\"",
    "\"forever\"",
    "\"all\"",
    "\"enum\"",
    "\"uuid()\"",
    "\"\"",
    "\"é🦀\"",
    "1",
    "0",
    "-5",
    "99999999999999999999",
    "1.5",
    "true",
    "2027-03-01",
    "[",
    "]",
    "{",
    "}",
    "[[",
    "]]",
    "=",
    ".",
    ",",
    "\n",
    "\n",
    "\n",
    " ",
    "#x",
    "\"\"\"",
    "'",
    "\"",
    "\\",
    "\r",
    "\u{feff}",
    "\u{0}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn on_random_bytes(source in prop::collection::vec(any::<u8>(), 0..300)) {
        check(&source)?;
    }

    #[test]
    fn on_mutated_contracts(
        edits in prop::collection::vec(
            (any::<u8>(), any::<prop::sample::Index>(), any::<prop::sample::Index>(), "\\PC{0,6}"),
            1..8,
        ),
    ) {
        check(mutated(REFERENCE, &edits).as_bytes())?;
    }

    #[test]
    fn on_contracts_with_shuffled_lines(
        lines in prop::collection::vec(any::<prop::sample::Index>(), 0..120),
    ) {
        let all: Vec<&str> = REFERENCE.lines().collect();
        let text: Vec<&str> = lines.iter().map(|at| all[at.index(all.len())]).collect();
        check(text.join("\n").as_bytes())?;
    }

    #[test]
    fn on_soups_of_the_formats_own_words(
        words in prop::collection::vec(prop::sample::select(WORDS), 0..80),
    ) {
        check(words.concat().as_bytes())?;
    }
}

#[test]
fn on_every_prefix_of_the_reference_contract() -> Result<(), TestCaseError> {
    for end in 0..REFERENCE.len() {
        let prefix = &REFERENCE.as_bytes()[..end];
        spans_fit(prefix, &parse(prefix).diagnostics)?;
    }
    Ok(())
}

#[test]
fn on_a_hundred_thousand_open_brackets() -> Result<(), TestCaseError> {
    for text in [
        "[".repeat(100_000),
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}", "{a=".repeat(100_000)),
        format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("a = {}", "[{a=".repeat(50_000)),
        format!("payload.{} = {{}}", "a.".repeat(50_000)),
        format!("[{}a]", "a.".repeat(100_000)),
        "[payload]\n".to_owned() + &format!("x = {}", "{ a.b.c.d = ".repeat(60)) + "1",
    ] {
        let source = format!("contract = 1\n{text}\nworkflow = \"a\"\n");
        let found = parse(source.as_bytes()).diagnostics;
        spans_fit(source.as_bytes(), &found)?;
        assert!(
            found.iter().any(|found| found.rule == "invalid-syntax"),
            "{found:?}"
        );
    }
    Ok(())
}

#[test]
fn on_nested_namespaces_deeper_than_any_payload() {
    let name = vec!["a"; 60].join(".");
    let text = format!(
        "contract = 1\n[payload.{name}]\n{name} = {{ {name} = {{ type = \"string\" }} }}\n"
    );
    let found = parse(text.as_bytes()).diagnostics;
    assert!(
        found
            .iter()
            .any(|found| found.message == "a field nested too deep"),
        "{found:?}"
    );
}

/// A mebibyte takes time in proportion to its length: nothing is compared with everything.
#[test]
fn on_files_of_a_mebibyte() -> Result<(), TestCaseError> {
    let of_size = |bytes: usize, line: &dyn Fn(usize) -> String| {
        let mut text = String::from("contract = 1\nworkflow = \"a\"\n");
        let mut number = 0;
        while text.len() < bytes {
            text += &line(number);
            number += 1;
        }
        text
    };
    let started = Instant::now();
    for text in [
        of_size(1 << 20, &|n| {
            format!("payload.f{n} = {{ type = \"string\" }}\n")
        }),
        of_size(1 << 20, &|_| "a = [\n".to_owned()),
        of_size(1 << 18, &|n| {
            format!("[[effects]]\nname = \"e{n}\"\nkind = \"local\"\n")
        }),
        of_size(1 << 18, &|n| {
            format!("[[key.previous]]\nversion = {}\nfields = [\"a\"]\n", n + 1)
        }),
        of_size(1 << 18, &|n| format!("unknown_{n} = 1\n")),
        of_size(1 << 18, &|n| {
            format!("[request]\nhash = [\"f{n}\", \"f{n}\", \"g{n}\"\n")
        }),
        format!("contract = 1\n# {}\n", "é".repeat(1 << 19)),
        format!("contract = 1\nsummary = \"{}\"\n", "x".repeat(1 << 20)),
    ] {
        let found = parse(text.as_bytes()).diagnostics;
        spans_fit(text.as_bytes(), &found)?;
        prop_assert!(!found.is_empty());
    }
    // Seconds, with a wide margin; what is quadratic takes minutes.
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    Ok(())
}
