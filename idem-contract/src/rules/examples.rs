//! Runs the examples of the rules' pages, and snippets of their tests, over one clean contract.
//!
//! Each setting or table that a snippet writes replaces the base's of that name (`[key]` and
//! `[[key.previous]]` are two names); a `strategy` without bookkeeping takes the tables of the
//! bookkeeping out. `# without [claim]`, `# without claim.lease` and
//! `# without owner` take something out of the base. A snippet that starts with `contract =` is a
//! whole file.

use crate::{Contract, Diagnostic, LintOptions, lint, rules};

/// 2026-11-30.
pub(crate) const TODAY: i32 = 20_787;

/// The contract under every snippet, clean by itself. Its effect states no `change`, so that a
/// snippet may write `[ordering]` or not.
pub(crate) const BASE: &str = r#"contract = 1
workflow = "refund-order"
version = 2
owner = "team-payments"
summary = "Refund a paid order once, however often the webhook fires."

[trigger]
kind = "webhook"
redelivers_for = "3d"
dead_letter_for = "14d"
redrive_for = "7d"

[payload]
tenant_id = { type = "string", origin = "authenticated" }
refund_id = { type = "string", origin = "source-id" }
order_id = { type = "string", origin = "business-id" }
amount = { type = "decimal" }
currency = { type = "enum", values = ["EUR", "USD"] }
occurred_at = { type = "timestamp" }
sequence = { type = "integer", origin = "source-sequence" }

[key]
fields = ["tenant_id", "refund_id"]
tenant = "tenant_id"

[request]
hash = ["order_id", "amount", "currency"]

[claim]
lease = "30s"
window = "30d"
max_attempts = 5

[[effects]]
name = "refunds"
kind = "local"
target = "refunds"

[response]
keep = "full"
max_bytes = "64KiB"

[dead_letter]
owner = "payments-oncall"
channel = "payments-incidents"
deadline = "4h"

[cleanup]
every = "1m"
batch = 1000
"#;

/// A run of lines: one root setting with its continuation lines, or one table.
struct Chunk<'s> {
    /// `owner`, `claim`, `key.previous`.
    name: String,
    is_table: bool,
    lines: Vec<&'s str>,
}

fn chunks(text: &str) -> Vec<Chunk<'_>> {
    let mut chunks: Vec<Chunk<'_>> = Vec::new();
    for line in text.lines() {
        let trimmed = line.trim_start();
        let in_table = chunks.last().is_some_and(|chunk| chunk.is_table);
        if trimmed.starts_with('[') && trimmed == line {
            let name = trimmed
                .trim_start_matches('[')
                .split(']')
                .next()
                .unwrap_or_default();
            chunks.push(Chunk {
                name: name.trim().to_owned(),
                is_table: true,
                lines: vec![line],
            });
        } else if !in_table
            && !trimmed.is_empty()
            && trimmed == line
            && !line.starts_with([']', '}', '#'])
        {
            chunks.push(Chunk {
                name: setting(line)
                    .split('.')
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
                is_table: false,
                lines: vec![line],
            });
        } else if let Some(chunk) = chunks.last_mut() {
            chunk.lines.push(line);
        } else if !trimmed.is_empty() && !trimmed.starts_with('#') {
            panic!("a snippet starts with a setting, a table or a comment, not with {line:?}");
        }
    }
    chunks
}

/// The whole contract that a snippet stands for.
pub(crate) fn source(snippet: &str) -> String {
    if snippet.trim_start().starts_with("contract =") {
        return snippet.to_owned();
    }
    let mut base = chunks(BASE);
    let written = chunks(snippet);
    base.retain(|chunk| !written.iter().any(|new| new.name == chunk.name));
    if snippet.contains("strategy = \"upsert\"") || snippet.contains("strategy = \"entity\"") {
        base.retain(|chunk| !matches!(&*chunk.name, "claim" | "response" | "cleanup"));
    }
    for line in snippet.lines() {
        if let Some(what) = line.trim().strip_prefix("# without ") {
            take_out(&mut base, what.trim());
        }
    }
    let mut out = String::new();
    for wanted_tables in [false, true] {
        for chunk in base.iter().chain(&written) {
            if chunk.is_table == wanted_tables {
                for line in &chunk.lines {
                    out.push_str(line);
                    out.push('\n');
                }
            }
        }
    }
    out
}

/// The name before `=`.
fn setting(line: &str) -> &str {
    line.split('=').next().unwrap_or_default().trim()
}

fn take_out(base: &mut Vec<Chunk<'_>>, what: &str) {
    let table = what.trim_matches(['[', ']']);
    if what.starts_with('[') || !what.contains('.') {
        let before = base.len();
        base.retain(|chunk| chunk.name != table);
        assert_ne!(base.len(), before, "the base has no {what}");
        return;
    }
    let (table, key) = what.rsplit_once('.').expect("a dot");
    let chunk = (base.iter_mut().find(|chunk| chunk.name == table)).expect("a table of the base");
    let before = chunk.lines.len();
    chunk
        .lines
        .retain(|line| line.split('=').next().is_none_or(|name| name.trim() != key));
    assert_ne!(chunk.lines.len(), before, "the base has no {what}");
}

/// Every finding on a snippet, in a file called `refund-order.toml`.
pub(crate) fn findings(snippet: &str) -> Vec<Diagnostic> {
    let options = LintOptions {
        file_stem: Some("refund-order"),
        today: TODAY,
    };
    lint(source(snippet).as_bytes(), &options).diagnostics
}

/// The rules of every finding on a snippet, in the order of their places.
pub(crate) fn ids(snippet: &str) -> Vec<&'static str> {
    findings(snippet)
        .iter()
        .map(|finding| finding.rule)
        .collect()
}

/// The contract that a snippet stands for.
pub(crate) fn contract(snippet: &str) -> Contract {
    crate::parse(source(snippet).as_bytes()).contract
}

/// The text that a finding underlines.
pub(crate) fn underlined(snippet: &str, finding: &Diagnostic) -> String {
    source(snippet)[finding.span.start..finding.span.end].to_owned()
}

/// A snippet with a finding's fix applied, as a whole file.
pub(crate) fn fixed(snippet: &str, finding: &Diagnostic) -> String {
    let mut text = source(snippet);
    let mut edits = finding.fix.clone().expect("a fix").edits;
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
    for edit in edits {
        text.replace_range(edit.span.start..edit.span.end, &edit.text);
    }
    text
}

/// The `toml` fences under a heading of a page.
fn fences(page: &str, heading: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut under = false;
    let mut fence: Option<String> = None;
    for line in page.lines() {
        match &mut fence {
            Some(text) if line == "```" => {
                found.push(std::mem::take(text));
                fence = None;
            }
            Some(text) => {
                text.push_str(line);
                text.push('\n');
            }
            None if line == "```toml" && under => fence = Some(String::new()),
            None if line.starts_with("## ") => under = line == format!("## {heading}"),
            None => {}
        }
    }
    found
}

fn told(findings: &[Diagnostic]) -> String {
    (findings.iter())
        .map(|found| format!("  {}: {}\n", found.rule, found.message))
        .collect()
}

#[test]
fn the_base_is_clean() {
    assert_eq!(told(&findings("")), "");
}

#[test]
fn bad_examples_raise_exactly_their_rule_and_good_ones_nothing() {
    let mut wrong = String::new();
    for rule in rules::ALL {
        let page = rules::page(rule);
        for example in fences(&page, "Bad") {
            let found = findings(&example);
            if found.is_empty() || found.iter().any(|found| found.rule != rule.id) {
                wrong += &format!("{}, Bad:\n{example}{}", rule.id, told(&found));
            }
        }
        for example in fences(&page, "Good") {
            let found = findings(&example);
            if !found.is_empty() {
                wrong += &format!("{}, Good:\n{example}{}", rule.id, told(&found));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_snippet_replaces_what_it_names() {
    let text = source(
        "owner = \"me\"\n# without key.tenant\n# without [response]\n[claim]\nlease = \"1s\"\n",
    );
    assert!(text.contains("owner = \"me\"") && !text.contains("team-payments"));
    assert!(!text.contains("\ntenant = \"tenant_id\""), "{text}");
    assert!(!text.contains("\n[response]"), "{text}");
    assert!(text.contains("lease = \"1s\"") && !text.contains("max_attempts"));
    assert!(text.contains("[cleanup]"));
}
