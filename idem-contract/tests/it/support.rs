//! A contract in which a test writes only what it is about.

use idem_contract::{Diagnostic, Fix, LintOptions, lint};

/// 2026-11-30, as days since 1970-01-01.
pub(crate) const TODAY: i32 = 20_787;

/// The tables of a contract that a test may replace; the others are in order.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub(crate) trigger: &'a str,
    pub(crate) payload: &'a str,
    pub(crate) key: &'a str,
    pub(crate) request: &'a str,
    pub(crate) effects: &'a str,
    pub(crate) response: &'a str,
    pub(crate) rest: &'a str,
}

impl Default for Given<'_> {
    fn default() -> Self {
        Self {
            trigger: "kind = \"webhook\"\nredelivers_for = \"3d\"\nordered = false",
            payload: "",
            key: "fields = [\"tenant_id\", \"refund_id\"]\ntenant = \"tenant_id\"",
            request: "hash = [\"amount\"]",
            effects: "[[effects]]\nname = \"refunds\"\nkind = \"local\"\ntarget = \"refunds\"\nchange = \"insert\"",
            response: "keep = \"full\"\nmax_bytes = \"16KiB\"",
            rest: "",
        }
    }
}

impl Given<'_> {
    /// The contract's text. The payload always has `tenant_id`, `refund_id`, `order_id` and `amount`.
    pub(crate) fn text(&self) -> String {
        let Self {
            trigger,
            payload,
            key,
            request,
            effects,
            response,
            rest,
        } = self;
        format!(
            r##"contract = 1
workflow = "refund-order"
version = 1
owner = "team-payments"
summary = "Refund a paid order once."

[trigger]
{trigger}

[payload]
tenant_id = {{ type = "string", origin = "authenticated" }}
refund_id = {{ type = "string", origin = "source-id" }}
order_id = {{ type = "string", origin = "business-id" }}
amount = {{ type = "decimal" }}
{payload}

[key]
{key}

[request]
{request}

[claim]
lease = "30s"
window = "30d"
max_attempts = 5

{effects}

[response]
{response}

[dead_letter]
owner = "payments-oncall"
channel = "#payments"
deadline = "4h"

[cleanup]
every = "1m"
batch = 1000

{rest}
"##
        )
    }

    /// Every finding.
    pub(crate) fn findings(&self) -> Vec<Diagnostic> {
        findings(&self.text())
    }

    /// The rule of each finding with its severity, in the order of the text.
    pub(crate) fn rules(&self) -> Vec<String> {
        rules(&self.findings())
    }
}

/// Every finding in a contract's text.
pub(crate) fn findings(text: &str) -> Vec<Diagnostic> {
    findings_in(None, text)
}

/// Every finding in a file of that name.
pub(crate) fn findings_in(file_stem: Option<&str>, text: &str) -> Vec<Diagnostic> {
    let options = LintOptions {
        file_stem,
        today: TODAY,
    };
    lint(text.as_bytes(), &options).diagnostics
}

/// `clock-in-key error`, …
pub(crate) fn rules(found: &[Diagnostic]) -> Vec<String> {
    found
        .iter()
        .map(|finding| format!("{} {}", finding.rule, finding.severity.as_str()))
        .collect()
}

/// A key of the tenant, the refund and one more field, declared by `declaration`.
pub(crate) fn with_part(declaration: &str) -> Vec<String> {
    let name = declaration
        .split(" =")
        .next()
        .unwrap_or_default()
        .trim_matches('"');
    Given {
        payload: declaration,
        key: &format!(
            "fields = [\"tenant_id\", \"refund_id\", \"{name}\"]\ntenant = \"tenant_id\""
        ),
        ..Given::default()
    }
    .rules()
}

/// The text after an edit.
pub(crate) fn applied(text: &str, fix: &Fix) -> String {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
    let mut text = text.to_owned();
    for edit in edits {
        text.replace_range(edit.span.start..edit.span.end, &edit.text);
    }
    text
}
