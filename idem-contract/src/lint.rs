//! Every rule over one contract, and what `[[allow]]` makes of their findings.

use std::collections::BTreeMap;

use crate::diagnostic::keep_line_breaks;
use crate::parse::date_text;
use crate::{
    Allow, Check, Contract, Diagnostic, Findings, Fix, Header, Place, Related, Rule, Setting, Span,
    TableStyle, key_expr, parse, rules,
};

/// What a contract cannot say about itself.
#[derive(Clone, Copy, Debug)]
pub struct LintOptions<'a> {
    /// The file's name without `.toml`, where there is a file.
    pub file_stem: Option<&'a str>,
    /// Today (UTC), as days since 1970-01-01.
    pub today: i32,
}

/// A contract and everything that is wrong with it.
#[derive(Debug)]
pub struct Linted {
    /// Everything that was understood.
    pub contract: Contract,
    /// Every finding that is not silenced, sorted by place, then by rule.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a contract and asks every rule. It never fails and never panics.
///
/// A file with broken lines is still linted as far as it was understood; a file that is no
/// contract at all gives the parser's findings alone.
///
/// # Example
///
/// ```
/// use idem_contract::{LintOptions, lint};
///
/// let options = LintOptions { file_stem: Some("refund-order"), today: 20_787 };
/// let linted = lint(b"contract = 1\nworkflow = \"refund\"\n", &options);
/// assert!(linted.diagnostics.iter().any(|found| found.rule == "file-name-mismatch"));
/// ```
#[must_use]
pub fn lint(source: &[u8], options: &LintOptions<'_>) -> Linted {
    let parsed = parse(source);
    let contract = parsed.contract;
    let mut diagnostics = parsed.diagnostics;
    if parsed.fatal {
        return Linted {
            contract,
            diagnostics,
        };
    }
    file_name(&contract, options, &mut diagnostics);
    run(&contract, &mut diagnostics);
    settle_allows(source, &contract, options.today, &mut diagnostics);
    expired_overlap(&contract, options.today, &mut diagnostics);
    keep_line_breaks(source, &mut diagnostics);
    diagnostics.sort_by(|a, b| (a.span, a.rule).cmp(&(b.span, b.rule)));
    Linted {
        contract,
        diagnostics,
    }
}

fn run(contract: &Contract, out: &mut Vec<Diagnostic>) {
    let key = key_expr(contract);
    for rule in rules::ALL {
        match rule.check {
            Check::Contract(check) => check(contract, &mut Findings::new(rule, out)),
            Check::Key(check) => {
                if let Some(key) = &key {
                    check(key, &mut Findings::new(rule, out));
                }
            }
            Check::Elsewhere => {}
        }
    }
}

fn file_name(contract: &Contract, options: &LintOptions<'_>, out: &mut Vec<Diagnostic>) {
    let (Some(stem), Some(workflow)) = (options.file_stem, contract.workflow.given()) else {
        return;
    };
    if workflow.value == stem {
        return;
    }
    let may_be_name = stem.len() <= 64
        && stem.starts_with(|c: char| c.is_ascii_lowercase())
        && (stem.bytes()).all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    let mut findings = Findings::new(&rules::FILE_NAME_MISMATCH, out);
    let finding = findings.report(
        workflow.span,
        "workflow",
        format!("`{}` stands in a file called `{stem}.toml`", workflow.value),
        "a workflow's contract is looked up by name: nobody finds this one, or finds another",
        format!(
            "rename the file to `{}.toml`, or write `workflow = \"{stem}\"`",
            workflow.value
        ),
    );
    if may_be_name {
        finding.fix(Fix::replace(workflow.span, format!("\"{stem}\"")));
    }
}

/// Whether `[[allow]]` of this contract silences a finding that was made outside of [`lint`]: by
/// the attribute or against the lockfile. `today` is days since 1970-01-01 (UTC).
#[must_use]
pub fn is_silenced(contract: &Contract, today: i32, finding: &Diagnostic) -> bool {
    (contract.allows.iter())
        .any(|allow| silences(allow, today) && concerns(contract, allow, finding))
}

/// Whether an `[[allow]]` has a reason and is not past its last day.
fn silences(allow: &Allow, today: i32) -> bool {
    !allow.reason.is_absent() && allow.until.get().is_none_or(|&until| today <= until)
}

/// Whether a finding is one of those that an `[[allow]]` is about.
fn concerns(contract: &Contract, allow: &Allow, finding: &Diagnostic) -> bool {
    if allow.rule.get().map(String::as_str) != Some(finding.rule) {
        return false;
    }
    match &allow.field {
        Setting::Absent => true,
        // A field that was not understood silences nothing.
        Setting::Unreadable(_) => false,
        Setting::Given(field) => is_about(contract, &field.value, finding),
    }
}

/// Whether a finding is about a payload field: its path names it, or it points at the field's name
/// or declaration.
fn is_about(contract: &Contract, field: &str, finding: &Diagnostic) -> bool {
    let path_names_it = (finding.path.match_indices(field)).any(|(start, _)| {
        let end = start + field.len();
        let before = finding.path[..start].chars().next_back();
        let after = finding.path[end..].chars().next();
        matches!(before, None | Some('.')) && matches!(after, None | Some('.'))
    });
    if path_names_it {
        return true;
    }
    let within = |outer: Span| outer.start <= finding.span.start && finding.span.end <= outer.end;
    (contract.payload.iter()).any(|declared| {
        declared.name.value == field && (within(declared.name.span) || within(declared.span))
    }) || (contract.key.fields.get().into_iter().flatten())
        .any(|name| name.value == field && within(name.span))
}

/// Removes what is silenced, and reports silences that are not earned.
fn settle_allows(source: &[u8], contract: &Contract, today: i32, out: &mut Vec<Diagnostic>) {
    let mut found = Vec::new();
    for allow in &contract.allows {
        let Some(rule) = allow.rule.get().and_then(|id| rules::find(id)) else {
            continue;
        };
        if !silences(allow, today) {
            not_earned(allow, rule, today, &mut found);
            continue;
        }
        let before = out.len();
        out.retain(|finding| !concerns(contract, allow, finding));
        // Of a field that was not understood, or that is not there, another finding speaks.
        let is_known = match &allow.field {
            Setting::Absent => true,
            Setting::Unreadable(_) => false,
            Setting::Given(field) => !contract.lacks_field(&field.value),
        };
        if out.len() == before && ran_here(rule) && is_known {
            unused(source, allow, rule, &mut found);
        }
    }
    out.append(&mut found);
}

/// Whether [`lint`] itself asks the rule.
fn ran_here(rule: &Rule) -> bool {
    rule.places.contains(&Place::Contract) && !matches!(rule.check, Check::Elsewhere)
}

fn not_earned(allow: &Allow, rule: &Rule, today: i32, out: &mut Vec<Diagnostic>) {
    if allow.reason.is_absent() {
        Findings::new(&rules::ALLOW_WITHOUT_REASON, out).report(
            allow.header.span,
            "allow.reason",
            format!("`{}` is silenced without a reason", rule.id),
            "the next reader cannot tell a decision from an oversight, so nothing is silenced",
            "write `reason = \"…\"`: why the finding is wrong here",
        );
    }
    if let Some(until) = allow.until.given()
        && today > until.value
    {
        Findings::new(&rules::EXPIRED_ALLOW, out).report(
            until.span,
            "allow.until",
            format!(
                "the silence of `{}` ended on {}",
                rule.id,
                date_text(until.value)
            ),
            "what was tolerated for a while is tolerated no longer, and is reported again",
            "mend what it silenced and take this `[[allow]]` out, or give a new reason and date",
        );
    }
}

fn unused(source: &[u8], allow: &Allow, rule: &Rule, out: &mut Vec<Diagnostic>) {
    let what = match allow.field.get() {
        Some(field) => format!("`{}` finds nothing about `{field}`", rule.id),
        None => format!("`{}` finds nothing in this contract", rule.id),
    };
    let mut findings = Findings::new(&rules::UNUSED_ALLOW, out);
    let finding = findings.report(
        allow.header.span,
        "allow",
        what,
        "a silence that silences nothing will one day hide a real finding",
        "take this `[[allow]]` out",
    );
    if allow.header.style == TableStyle::Section {
        finding.fix(removal(source, allow.header));
    }
}

/// Takes a whole section out, its line break included; an edit to ask about where that would
/// delete a comment.
fn removal(source: &[u8], header: Header) -> Fix {
    let rest = source.get(header.insert_at..).unwrap_or_default();
    let line_break = match rest {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => 0,
    };
    let span = Span::new(header.span.start, header.insert_at + line_break);
    let fix = Fix::replace(span, "");
    let removed = source.get(span.start..span.end).unwrap_or_default();
    if removed.contains(&b'#') {
        fix.ask()
    } else {
        fix
    }
}

fn expired_overlap(contract: &Contract, today: i32, out: &mut Vec<Diagnostic>) {
    for previous in &contract.key.previous {
        let Some(until) = previous.until.given().filter(|until| today > until.value) else {
            continue;
        };
        Findings::new(&rules::EXPIRED_OVERLAP, out).report(
            until.span,
            "key.previous.until",
            format!(
                "this older recipe was needed until {}",
                date_text(until.value)
            ),
            "each claim still asks the store for a key that nobody sends any more",
            "take this `[[key.previous]]` out, or write a later date while retries may still come",
        );
    }
}

/// How many other files a finding about several files names.
const MAX_OTHERS: usize = 5;

/// Findings over several contracts: two files of one workflow. Each file carries the finding, so
/// that it is seen whichever of them is looked at; the number is the place in `contracts`.
#[must_use]
pub fn lint_set(contracts: &[(&str, &Contract)]) -> Vec<(usize, Diagnostic)> {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, (_, contract)) in contracts.iter().enumerate() {
        if let Some(workflow) = contract.workflow.get() {
            by_name.entry(workflow).or_default().push(at);
        }
    }
    let mut out = Vec::new();
    for (name, places) in by_name {
        if places.len() < 2 {
            continue;
        }
        for &at in &places {
            // Of a folder of copies each would name all others.
            let others = (places.iter().filter(|&&other| other != at)).take(MAX_OTHERS);
            let mut found = Vec::with_capacity(1);
            let mut findings = Findings::new(&rules::DUPLICATE_WORKFLOW, &mut found);
            let finding = findings.report(
                contracts[at].1.anchor(),
                "workflow",
                format!("`{name}` has {} contracts", places.len()),
                "two contracts for one workflow: the key, the window and the effects of one of them hold, and nobody knows which",
                "give each workflow one file; write another name in one of them",
            );
            finding.related.extend(others.map(|&other| {
                let (file, contract) = contracts[other];
                Related {
                    file: Some(file.to_owned()),
                    span: contract.anchor(),
                    message: "the same workflow".to_owned(),
                }
            }));
            out.extend(found.into_iter().map(|finding| (at, finding)));
        }
    }
    out.sort_by_key(|(at, _)| *at);
    out
}

#[cfg(test)]
mod tests;
