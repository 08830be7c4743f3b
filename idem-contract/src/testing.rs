//! One rule at a time, on the contract under the examples. The examples themselves run every rule.

use crate::rules::examples::source;
use crate::{Check, Diagnostic, Findings, Fix, Rule, parse};

/// What `rule` alone finds in `text`, which is a whole file.
///
/// The format has to be in order: a test whose contract the parser refuses proves nothing.
#[track_caller]
pub(crate) fn alone(rule: &'static Rule, text: &str) -> Vec<Diagnostic> {
    let refused = parse(text.as_bytes()).diagnostics;
    assert!(refused.is_empty(), "{refused:#?}\nin\n{text}");
    unchecked(rule, text)
}

/// The same, whatever the parser says.
pub(crate) fn unchecked(rule: &'static Rule, text: &str) -> Vec<Diagnostic> {
    let contract = parse(text.as_bytes()).contract;
    let mut out = Vec::new();
    match rule.check {
        Check::Contract(check) => check(&contract, &mut Findings::new(rule, &mut out)),
        Check::Key(_) | Check::Elsewhere => panic!("{} does not look at a contract", rule.id),
    }
    out
}

/// What `rule` alone finds in the contract that `snippet` stands for: something, and each fix of it
/// settles a finding.
#[track_caller]
pub(crate) fn bad(rule: &'static Rule, snippet: &str) -> Vec<Diagnostic> {
    let text = source(snippet);
    let found = alone(rule, &text);
    assert!(!found.is_empty(), "{} says nothing of\n{text}", rule.id);
    for fix in found.iter().filter_map(|finding| finding.fix.as_ref()) {
        let left = alone(rule, &applied(&text, fix));
        assert!(left.len() < found.len(), "{fix:?} settles nothing");
    }
    found
}

/// `rule` alone finds nothing in the contract that `snippet` stands for.
#[track_caller]
pub(crate) fn good(rule: &'static Rule, snippet: &str) {
    let text = source(snippet);
    let found = alone(rule, &text);
    assert!(found.is_empty(), "{found:#?}\nin\n{text}");
}

fn applied(text: &str, fix: &Fix) -> String {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
    let mut text = text.to_owned();
    for edit in edits {
        text.replace_range(edit.span.start..edit.span.end, &edit.text);
    }
    text
}
