use super::*;
use crate::rules::examples::{TODAY, contract, findings, fixed, ids, source, underlined};

/// A contract without a lease, which `missing-lease` reports, and an `[[allow]]` with these lines.
fn without_lease(allow: &str) -> String {
    format!("# without claim.lease\n[[allow]]\nrule = \"missing-lease\"\n{allow}")
}

#[test]
fn a_reason_silences() {
    assert_eq!(ids("# without claim.lease\n"), ["missing-lease"]);
    assert!(ids(&without_lease("reason = \"The platform sets it.\"\n")).is_empty());
}

#[test]
fn without_a_reason_nothing_is_silenced() {
    for allow in ["", "reason = \"\"\n", "reason = \"  \"\n"] {
        assert_eq!(
            ids(&without_lease(allow)),
            ["missing-lease", "allow-without-reason"],
            "{allow}"
        );
    }
}

#[test]
fn a_silence_holds_through_its_last_day() {
    let until = |day: &str| without_lease(&format!("reason = \"Until then.\"\nuntil = {day}\n"));
    assert!(ids(&until("2026-11-30")).is_empty());
    assert!(ids(&until("2026-12-01")).is_empty());
    let expired = until("2026-11-29");
    assert_eq!(ids(&expired), ["missing-lease", "expired-allow"]);
    assert_eq!(underlined(&expired, &findings(&expired)[1]), "2026-11-29");
}

#[test]
fn a_silence_that_silences_nothing_is_reported_and_can_be_taken_out() {
    let unused = "[[allow]]\nrule = \"missing-lease\"\nreason = \"Why not.\"\n";
    let found = findings(unused);
    assert_eq!(ids(unused), ["unused-allow"]);
    assert_eq!(fixed(unused, &found[0]), source(""));
    assert!(found[0].fix.as_ref().is_some_and(|fix| fix.safe));
}

#[test]
fn a_silence_about_a_field_that_is_not_there_is_one_finding() {
    let allow = "[[allow]]\nrule = \"timestamp-in-key\"\nfield = \"ordr_id\"\nreason = \"Typo.\"\n";
    assert_eq!(ids(allow), ["undeclared-field"]);
}

#[test]
fn a_contract_without_a_payload_is_one_finding() {
    let names = ids(
        "# without [payload]\n[[allow]]\nrule = \"timestamp-in-key\"\nfield = \"order_id\"\nreason = \"Why.\"\n",
    );
    assert_eq!(names, ["missing-field"]);
}

#[test]
fn taking_out_a_silence_never_deletes_a_comment_unasked() {
    let unused = "[[allow]]\nrule = \"missing-lease\" # see the runbook\nreason = \"Why not.\"\n";
    let found = findings(unused);
    assert!(found[0].fix.as_ref().is_some_and(|fix| !fix.safe));
}

#[test]
fn a_rule_that_was_not_asked_is_not_unused() {
    for rule in [
        "unclassified-failure",
        "attribute-disagrees",
        "window-shortened",
        "unhashed-field",
        "check-then-insert",
    ] {
        let allow = format!("[[allow]]\nrule = \"{rule}\"\nreason = \"Elsewhere.\"\n");
        assert!(ids(&allow).is_empty(), "{rule}");
    }
}

#[test]
fn what_cannot_be_silenced_says_so() {
    for rule in [
        "unknown-field",
        "allow-without-reason",
        "unused-allow",
        "file-name-mismatch",
    ] {
        let allow = format!("[[allow]]\nrule = \"{rule}\"\nreason = \"Please.\"\n");
        assert_eq!(ids(&allow), ["invalid-value"], "{rule}");
    }
}

#[test]
fn a_rule_that_does_not_exist_is_named() {
    let allow = "[[allow]]\nrule = \"mising-lease\"\nreason = \"Typo.\"\n";
    let found = findings(allow);
    assert_eq!(ids(allow), ["unknown-value"]);
    assert_eq!(found[0].help, "did you mean `missing-lease`?");
    assert!(fixed(allow, &found[0]).contains("rule = \"missing-lease\""));
}

#[test]
fn a_field_narrows_a_silence_to_what_concerns_it() {
    let path = |path: &str| Diagnostic {
        path: path.to_owned(),
        span: Span::new(usize::MAX, usize::MAX),
        ..findings("# without claim.lease\n")[0].clone()
    };
    let narrowed = contract(&without_lease(
        "field = \"order_id\"\nreason = \"Only there.\"\n",
    ));
    for about in [
        "payload.order_id",
        "request.hash.order_id",
        "payload.order_id.type",
        "order_id",
    ] {
        assert!(is_silenced(&narrowed, TODAY, &path(about)), "{about}");
    }
    for other in [
        "payload.order_id2",
        "payload.my_order_id",
        "claim.lease",
        "",
    ] {
        assert!(!is_silenced(&narrowed, TODAY, &path(other)), "{other}");
    }
}

#[test]
fn a_finding_that_points_at_a_declaration_concerns_its_field() {
    let narrowed = contract(&without_lease(
        "field = \"order_id\"\nreason = \"Only there.\"\n",
    ));
    let field = narrowed.field("order_id").expect("a field").span;
    let mut finding = findings("# without claim.lease\n")[0].clone();
    finding.span = field;
    assert!(is_silenced(&narrowed, TODAY, &finding));
    finding.span.end += 1;
    assert!(!is_silenced(&narrowed, TODAY, &finding));
}

#[test]
fn an_overlap_that_is_over_is_reported() {
    let overlap = |day: &str| {
        format!("[[key.previous]]\nversion = 1\nfields = [\"refund_id\"]\nuntil = {day}\n")
    };
    assert!(ids(&overlap("2026-11-30")).is_empty());
    assert_eq!(ids(&overlap("2026-11-29")), ["expired-overlap"]);
}

#[test]
fn a_file_of_another_name_is_reported_with_the_name_it_should_have() {
    let text = source("workflow = \"refund\"\n");
    let lint_as = |stem| {
        let options = LintOptions {
            file_stem: stem,
            today: TODAY,
        };
        lint(text.as_bytes(), &options).diagnostics
    };
    let found = lint_as(Some("refund-order"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].rule, "file-name-mismatch");
    assert_eq!(
        found[0].fix,
        Some(Fix::replace(found[0].span, "\"refund-order\""))
    );
    assert!(lint_as(Some("refund")).is_empty());
    assert!(lint_as(None).is_empty());
    assert!(lint_as(Some("My File"))[0].fix.is_none());
}

#[test]
fn two_files_of_one_workflow_point_at_each_other() {
    let (first, second, other) = (
        contract(""),
        contract("version = 3\n"),
        contract("workflow = \"other\"\n"),
    );
    let found = lint_set(&[("a.toml", &first), ("b.toml", &other), ("c.toml", &second)]);
    let places: Vec<_> = found.iter().map(|(at, _)| *at).collect();
    assert_eq!(places, [0, 2]);
    assert_eq!(found[0].1.rule, "duplicate-workflow");
    assert_eq!(found[0].1.related[0].file.as_deref(), Some("c.toml"));
    assert_eq!(found[1].1.related[0].file.as_deref(), Some("a.toml"));
    let copies: Vec<(&str, &Contract)> = (0..100).map(|_| ("a.toml", &first)).collect();
    let found = lint_set(&copies);
    assert_eq!(found.len(), 100);
    assert!(
        found
            .iter()
            .all(|(_, found)| found.related.len() <= MAX_OTHERS)
    );
}

#[test]
fn a_file_that_is_no_contract_is_not_linted() {
    let options = LintOptions {
        file_stem: Some("x"),
        today: TODAY,
    };
    for source in [
        &b"\xff\xfe"[..],
        b"",
        b"[package]\nname = \"x\"\n",
        b"contract = 2\nworkflow = \"y\"\n",
    ] {
        let found = lint(source, &options).diagnostics;
        assert_eq!(found.len(), 1, "{found:?}");
    }
}

#[test]
fn an_edit_has_the_line_breaks_of_its_file() {
    let text = source("# without claim.lease\n").replace('\n', "\r\n");
    let options = LintOptions {
        file_stem: None,
        today: TODAY,
    };
    let found = lint(text.as_bytes(), &options).diagnostics;
    let edit = &found[0].fix.as_ref().expect("a fix").edits[0];
    let mut fixed = text.clone();
    fixed.replace_range(edit.span.start..edit.span.end, &edit.text);
    assert!(fixed.contains("\r\nlease = "));
    assert_eq!(fixed.matches('\n').count(), fixed.matches("\r\n").count());
    assert!(lint(fixed.as_bytes(), &options).diagnostics.is_empty());
}
