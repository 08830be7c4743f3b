//! Helpers for the tests of rules: one rule at a time, on contracts that differ in the lines that
//! matter.

use crate::{Check, Diagnostic, Findings, Fix, Rule, parse};

/// A contract that no rule of this crate objects to, cut where its tables begin.
const BASE: &str = r##"
contract = 1
workflow = "base"
version = 1
owner = "team"
summary = "What the tests of rules start from."

[trigger]
kind = "http"

[payload]
tenant_id = { type = "string", origin = "authenticated" }
event_id = { type = "uuid", origin = "source-id" }
order_id = { type = "string", origin = "business-id" }
sequence = { type = "integer", origin = "source-sequence" }
amount = { type = "integer" }

[key]
fields = ["tenant_id", "event_id"]
tenant = "tenant_id"

[request]
hash = ["amount"]

[claim]
lease = "30s"
window = "30d"
max_attempts = 5

[[effects]]
name = "orders"
kind = "local"
target = "orders"
change = "insert"

[response]
keep = "tombstone"

[dead_letter]
owner = "oncall"
channel = "#incidents"
deadline = "4h"

[cleanup]
every = "1m"
batch = 1000
"##;

/// The tables of a contract in the order written: header line and text, the root without header.
fn tables(text: &str) -> Vec<(&str, String)> {
    let mut tables = vec![("", String::new())];
    for line in text.lines() {
        if line.starts_with('[') {
            tables.push((line, String::new()));
        }
        if let Some((_, table)) = tables.last_mut() {
            table.push_str(line);
            table.push('\n');
        }
    }
    tables
}

/// The base with its tables replaced by those of `sections` that have the same header. Lines before
/// the first header replace the base's lines with the same key, or are added. `without` names
/// headers that are left out.
pub(crate) fn contract(sections: &str, without: &[&str]) -> String {
    let mut given = tables(sections);
    let root = given.remove(0).1;
    let key = |line: &str| line.split('=').next().unwrap_or_default().trim().to_owned();
    let keys: Vec<String> = root.lines().map(key).collect();
    let mut text = String::new();
    for (header, table) in tables(BASE) {
        if header.is_empty() {
            let kept = table.lines().filter(|line| !keys.contains(&key(line)));
            text.extend(kept.map(|line| format!("{line}\n")));
            text.push_str(&root);
        } else if !without.contains(&header) && given.iter().all(|(other, _)| *other != header) {
            text.push_str(&table);
        }
    }
    for (_, table) in given {
        text.push_str(&table);
    }
    text
}

/// What `rule` alone finds in `text`.
///
/// The format has to be in order: a test whose contract the parser refuses proves nothing.
pub(crate) fn findings(rule: &'static Rule, text: &str) -> Vec<Diagnostic> {
    let parsed = parse(text.as_bytes());
    assert!(
        parsed.diagnostics.is_empty(),
        "{:#?}\nin\n{text}",
        parsed.diagnostics
    );
    let mut out = Vec::new();
    match rule.check {
        Check::Contract(check) => check(&parsed.contract, &mut Findings::new(rule, &mut out)),
        Check::Key(_) | Check::Elsewhere => panic!("{} does not look at a contract", rule.id),
    }
    out
}

/// What `rule` alone finds in the base with `sections`; there has to be something.
#[track_caller]
pub(crate) fn bad(rule: &'static Rule, sections: &str) -> Vec<Diagnostic> {
    let text = contract(sections, &[]);
    let found = findings(rule, &text);
    assert!(!found.is_empty(), "{} says nothing of\n{text}", rule.id);
    for finding in &found {
        if let Some(fix) = &finding.fix {
            assert!(
                findings(rule, &applied(&text, fix)).len() < found.len(),
                "the fix of {} does not settle it: {fix:?}",
                rule.id
            );
        }
    }
    found
}

/// `rule` alone finds nothing in the base with `sections`.
#[track_caller]
pub(crate) fn good(rule: &'static Rule, sections: &str) {
    let text = contract(sections, &[]);
    let found = findings(rule, &text);
    assert!(found.is_empty(), "{found:#?}\nin\n{text}");
}

/// `text` after `fix`.
pub(crate) fn applied(text: &str, fix: &Fix) -> String {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut text = text.to_owned();
    for edit in edits {
        text.replace_range(edit.span.start..edit.span.end, &edit.text);
    }
    text
}
