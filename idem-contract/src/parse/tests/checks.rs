//! Each sentence of the format's description, with a sample that keeps it and samples that do not.
//!
//! Snippets are laid over the clean contract of the rules' examples.

mod across;
mod files;
mod payload;
mod settings;

use super::super::parse;
use crate::Diagnostic;
use crate::rules::examples::source;

fn found(snippet: &str) -> Vec<Diagnostic> {
    parse(source(snippet).as_bytes()).diagnostics
}

/// `rule path` of each finding.
fn told(snippet: &str) -> Vec<String> {
    (found(snippet).iter())
        .map(|found| format!("{} {}", found.rule, found.path))
        .collect()
}

#[track_caller]
fn clean(snippet: &str) {
    let found = found(snippet);
    assert!(found.is_empty(), "{snippet}\n{found:#?}");
}

/// The snippet gives exactly this one finding.
#[track_caller]
fn one(snippet: &str, finding: &str) {
    assert_eq!(told(snippet), [finding], "{snippet}");
}

const CLAIM: &str = "[claim]\nlease = \"30s\"\nwindow = \"30d\"\nmax_attempts = 5\n";

fn claim(line: &str) -> String {
    format!("{CLAIM}{line}\n")
}

const EFFECT: &str = "[[effects]]\nname = \"refunds\"\nkind = \"local\"\n";

fn effect(line: &str) -> String {
    format!("{EFFECT}{line}\n")
}

const PAYLOAD: &str = r#"[payload]
tenant_id = { type = "string", origin = "authenticated" }
refund_id = { type = "string", origin = "source-id" }
order_id = { type = "string", origin = "business-id" }
amount = { type = "decimal" }
currency = { type = "enum", values = ["EUR", "USD"] }
"#;

fn payload(line: &str) -> String {
    format!("{PAYLOAD}{line}\n")
}
