//! One setting at a time.

use std::time::Duration;

use super::{claim, clean, effect, found, one, payload, told};
use crate::parse::tests::REFERENCE;
use crate::rules::examples::{contract, source};
use crate::{BusyPolicy, Setting, Window, parse};

#[test]
fn the_reference_contract_is_accepted_whole() {
    let parsed = parse(REFERENCE.as_bytes());
    assert_eq!(parsed.diagnostics, []);
    assert!(!parsed.fatal && parsed.contract.complete);
    assert_eq!(parsed.contract.payload.len(), 8);
    assert_eq!(parsed.contract.effects.len(), 3);
    assert_eq!(parsed.contract.key.previous.len(), 1);
}

#[test]
fn every_line_of_the_reference_contract_is_understood() {
    // A setting that the decoder drops would leave the contract as it is without the line.
    let whole = format!("{:?}", parse(REFERENCE.as_bytes()).contract);
    let strip = |text: &str| {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("Span {") {
            out.push_str(before);
            rest = after.split_once('}').map_or("", |(_, after)| after);
        }
        out + rest
    };
    let lines: Vec<&str> = REFERENCE.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let is_setting = line.contains('=') && !line.starts_with('#');
        if !is_setting {
            continue;
        }
        let mut without = lines.clone();
        without.remove(at);
        let contract = parse(without.join("\n").as_bytes()).contract;
        assert_ne!(strip(&format!("{contract:?}")), strip(&whole), "{line}");
    }
}

#[test]
fn mandatory_settings_are_missed_by_name() {
    for name in ["workflow", "version", "owner", "summary"] {
        one(
            &format!("# without {name}\n"),
            &format!("missing-field {name}"),
        );
    }
    one("# without contract\n", "missing-field contract");
    one("# without [trigger]\n", "missing-field trigger.kind");
    one("# without trigger.kind\n", "missing-field trigger.kind");
    one(
        "# without [payload]\n# without [key]\n[request]\nhash = \"none\"\n",
        "missing-field payload",
    );
}

#[test]
fn where_a_rule_is_named_for_the_absence_the_parser_is_silent() {
    for what in [
        "[claim]",
        "claim.lease",
        "claim.window",
        "claim.max_attempts",
        "[cleanup]",
        "cleanup.batch",
        "[key]",
        "key.fields",
        "key.tenant",
        "[request]",
        "request.hash",
        "[dead_letter]",
        "dead_letter.owner",
        "[effects]",
        "[response]",
    ] {
        clean(&format!("# without {what}\n"));
    }
    clean("[[effects]]\nname = \"mail\"\nkind = \"irreversible\"\n");
    clean("[[effects]]\nname = \"call\"\nkind = \"keyed-remote\"\n");
    clean("[key]\nfields = []\n");
}

#[test]
fn the_missing_format_version_can_be_added() {
    let text = source("# without contract\n");
    let found = parse(text.as_bytes()).diagnostics;
    let edit = &found[0].fix.as_ref().expect("a fix").edits[0];
    let mut fixed = text.clone();
    fixed.replace_range(edit.span.start..edit.span.end, &edit.text);
    assert_eq!(parse(fixed.as_bytes()).diagnostics, []);
}

#[test]
fn another_format_version_is_all_that_is_said() {
    for version in ["2", "0", "-1", "99999999999999999999"] {
        let text = format!("contract = {version}\nworkflow = 5\nnonsense = [\n");
        let parsed = parse(text.as_bytes());
        let rules: Vec<_> = parsed.diagnostics.iter().map(|found| found.rule).collect();
        assert_eq!(rules, ["unsupported-format"], "{version}");
        assert!(parsed.fatal);
    }
    let parsed = parse(
        source("")
            .replacen("contract = 1", "contract = \"1\"", 1)
            .as_bytes(),
    );
    assert_eq!(parsed.diagnostics[0].rule, "wrong-type");
    assert!(!parsed.fatal);
}

#[test]
fn names_are_kebab_case_of_at_most_64_characters() {
    for name in ["a", "refund-order", "oauth2-refresh", &"a".repeat(64)] {
        clean(&format!("workflow = \"{name}\"\n"));
    }
    let long = "a".repeat(65);
    for name in [
        "Refund",
        "refund_order",
        "refund order",
        "-a",
        "a-",
        "a--b",
        "2fa",
        "é",
        "a:b",
        &long,
    ] {
        one(
            &format!("workflow = \"{name}\"\n"),
            "invalid-value workflow",
        );
        one(
            &format!("[[effects]]\nname = \"{name}\"\nkind = \"local\"\n"),
            &format!("invalid-value effects.{name}.name"),
        );
        one(
            &format!("[trigger]\nkind = \"http\"\nfan_out = true\nconsumer = \"{name}\"\n"),
            "invalid-value trigger.consumer",
        );
    }
    assert_eq!(
        found("workflow = \"RefundOrder\"\n")[0].help,
        "write `refund-order`"
    );
    assert_eq!(
        found("workflow = \"refund__Order \"\n")[0].help,
        "write `refund-order`"
    );
}

#[test]
fn texts_are_not_blank() {
    for blank in ["", " ", "\\t\\n"] {
        one(&format!("owner = \"{blank}\"\n"), "invalid-value owner");
        one(&format!("summary = \"{blank}\"\n"), "invalid-value summary");
    }
    one(
        "[key]\nfields = [\"tenant_id\", \"\"]\ntenant = \"tenant_id\"\n",
        "invalid-value key.fields",
    );
}

#[test]
fn durations_are_parts_with_a_unit() {
    let lease = |text: &str| {
        contract(&format!(
            "[claim]\nlease = {text}\nwindow = \"30d\"\nmax_attempts = 5\n"
        ))
    };
    for (text, ms) in [
        ("\"250ms\"", 250),
        ("\"1d12h\"", 129_600_000),
        ("\"2w\"", 1_209_600_000),
    ] {
        assert_eq!(
            lease(text).claim.lease.get(),
            Some(&Duration::from_millis(ms)),
            "{text}"
        );
    }
    for text in [
        "\"30\"",
        "\"30 s\"",
        "\"s\"",
        "\"-1s\"",
        "\"1.5h\"",
        "\"1y\"",
        "\"9999999w\"",
        "\"0s\"",
        "\"0d0h\"",
    ] {
        one(
            &format!("[claim]\nlease = {text}\nwindow = \"30d\"\nmax_attempts = 5\n"),
            "invalid-value claim.lease",
        );
        assert!(
            matches!(lease(text).claim.lease, Setting::Unreadable(_)),
            "{text}"
        );
    }
    for text in ["30", "1.5", "true", "[\"30s\"]", "{}"] {
        one(
            &format!("[claim]\nlease = {text}\nwindow = \"30d\"\nmax_attempts = 5\n"),
            "wrong-type claim.lease",
        );
    }
}

#[test]
fn no_backoff_at_all_is_the_default_and_may_be_written() {
    clean(&claim("backoff = \"0s\""));
    one(&claim("backoff = \"0\""), "invalid-value claim.backoff");
}

#[test]
fn every_other_time_count_and_size_is_more_than_zero() {
    for name in ["redelivers_for", "dead_letter_for", "redrive_for"] {
        one(
            &format!("[trigger]\nkind = \"webhook\"\n{name} = \"0s\"\n"),
            &format!("invalid-value trigger.{name}"),
        );
    }
    for (line, path) in [
        ("timeout = \"0s\"", "effects.refunds.timeout"),
        ("key_lifetime = \"0h\"", "effects.refunds.key_lifetime"),
        ("tries = 0", "effects.refunds.tries"),
        ("tries = -1", "effects.refunds.tries"),
        ("tries = 5000000000", "effects.refunds.tries"),
    ] {
        one(&effect(line), &format!("invalid-value {path}"));
    }
    one(
        "[cleanup]\nevery = \"0m\"\nbatch = 1\n",
        "invalid-value cleanup.every",
    );
    one(
        "[cleanup]\nevery = \"1m\"\nbatch = 0\n",
        "invalid-value cleanup.batch",
    );
    one("version = 0\n", "invalid-value version");
    one(
        "[claim]\nlease = \"30s\"\nwindow = \"0d\"\nmax_attempts = 5\n",
        "invalid-value claim.window",
    );
    one(
        "[claim]\nlease = \"30s\"\nwindow = \"30d\"\nmax_attempts = 0\n",
        "invalid-value claim.max_attempts",
    );
    one(
        "[response]\nmax_bytes = \"0KiB\"\n",
        "invalid-value response.max_bytes",
    );
    one(
        "[dead_letter]\nowner = \"a\"\nchannel = \"b\"\ndeadline = \"0h\"\n",
        "invalid-value dead_letter.deadline",
    );
}

#[test]
fn sizes_have_a_unit() {
    assert_eq!(
        contract("[response]\nmax_bytes = \"64KiB\"\n")
            .response
            .max_bytes
            .get(),
        Some(&65_536)
    );
    for text in [
        "\"64KB\"",
        "\"64\"",
        "\"1GiB\"",
        "\"64 KiB\"",
        "\"99999999999999999MiB\"",
    ] {
        one(
            &format!("[response]\nmax_bytes = {text}\n"),
            "invalid-value response.max_bytes",
        );
    }
    let number = found("[response]\nmax_bytes = 65536\n");
    assert_eq!(number[0].rule, "wrong-type");
    assert_eq!(
        number[0].fix.as_ref().expect("a fix").edits[0].text,
        "\"65536B\""
    );
}

#[test]
fn dates_are_dates_without_quotes_and_without_a_time() {
    let until = |text: &str| {
        format!("[[key.previous]]\nversion = 1\nfields = [\"refund_id\"]\nuntil = {text}\n")
    };
    clean(&until("2027-03-01"));
    assert_eq!(
        contract(&until("1970-01-02")).key.previous[0].until.get(),
        Some(&1)
    );
    for text in [
        "\"soon\"",
        "2027",
        "2027-03-01T00:00:00Z",
        "2027-03-01 10:00:00",
        "10:00:00",
        "true",
    ] {
        one(&until(text), "wrong-type key.previous.until");
    }
    let quoted = found(&until("\"2027-03-01\""));
    assert_eq!(
        quoted[0].fix.as_ref().expect("a fix").edits[0].text,
        "2027-03-01"
    );
    one(&until("2027-02-30"), "invalid-syntax key.previous.until");
}

#[test]
fn the_window_may_be_forever() {
    let window =
        |text: &str| format!("[claim]\nlease = \"30s\"\nwindow = {text}\nmax_attempts = 5\n");
    assert_eq!(
        contract(&window("\"forever\"")).claim.window.get(),
        Some(&Window::Forever)
    );
    one(&window("\"for ever\""), "invalid-value claim.window");
}

#[test]
fn busy_rejects_or_waits() {
    let busy = |text: &str| contract(&claim(&format!("busy = {text}"))).claim.busy;
    assert_eq!(busy("\"reject\"").get(), Some(&BusyPolicy::Reject));
    assert_eq!(busy("\"wait\"").get(), Some(&BusyPolicy::Wait(None)));
    assert_eq!(
        busy("\"wait 2s\"").get(),
        Some(&BusyPolicy::Wait(Some(Duration::from_secs(2))))
    );
    one(&claim("busy = \"retry\""), "unknown-value claim.busy");
    one(&claim("busy = \"wait2s\""), "unknown-value claim.busy");
    one(&claim("busy = \"wait 0s\""), "invalid-value claim.busy");
    one(&claim("busy = \"wait long\""), "invalid-value claim.busy");
    one(&claim("busy = 2"), "wrong-type claim.busy");
    one(&claim("busy = \"\""), "unknown-value claim.busy");
}

#[test]
fn every_word_list_is_closed() {
    for (snippet, path) in [
        ("strategy = \"redis\"\n".to_owned(), "strategy"),
        ("[trigger]\nkind = \"cron\"\n".to_owned(), "trigger.kind"),
        (payload("x = { type = \"text\" }"), "payload.x.type"),
        (
            payload("x = { type = \"string\", origin = \"body\" }"),
            "payload.x.origin",
        ),
        (claim("outage = \"halfway\""), "claim.outage"),
        (claim("mode = \"both\""), "claim.mode"),
        (
            "[[effects]]\nname = \"a\"\nkind = \"email\"\n".to_owned(),
            "effects.a.kind",
        ),
        (effect("change = \"delete\""), "effects.refunds.change"),
        (
            effect("on_ambiguous = \"retry\""),
            "effects.refunds.on_ambiguous",
        ),
        ("[response]\nkeep = \"some\"\n".to_owned(), "response.keep"),
        ("[request]\nhash = \"some\"\n".to_owned(), "request.hash"),
        (
            "[ordering]\nentity = \"order_id\"\nversion = \"amount\"\nwhen_stale = \"retry\"\n"
                .to_owned(),
            "ordering.when_stale",
        ),
    ] {
        one(&snippet, &format!("unknown-value {path}"));
    }
    one("strategy = \"TABLE\"\n", "unknown-value strategy");
    let near = found("strategy = \"tabel\"\n");
    assert_eq!(
        near[0].fix.as_ref().expect("a fix").edits[0].text,
        "\"table\""
    );
    assert!(near[0].fix.as_ref().is_some_and(|fix| fix.safe));
}

#[test]
fn a_misspelt_key_is_read_as_the_one_that_was_meant() {
    let parsed = parse(source("").replace("lease =", "laese =").as_bytes());
    let rules: Vec<_> = parsed.diagnostics.iter().map(|found| found.rule).collect();
    assert_eq!(rules, ["unknown-field"]);
    assert_eq!(parsed.diagnostics[0].path, "claim.laese");
    assert_eq!(
        parsed.contract.claim.lease.get(),
        Some(&Duration::from_secs(30))
    );
    assert_eq!(
        told("[claims]\nlease = \"0s\"\n# without [claim]\n"),
        ["unknown-field claims", "invalid-value claim.lease"]
    );
}

#[test]
fn a_key_in_the_wrong_table_is_sent_home_and_not_missed_there() {
    let text = source("")
        .replace("owner = \"team-payments\"\n", "")
        .replace("[claim]\n", "[claim]\nsummary2 = 1\n");
    let misplaced = text
        .replace("max_attempts = 5\n", "")
        .replace("[trigger]\n", "[trigger]\nmax_attempts = 5\n");
    let found = crate::lint(
        misplaced.as_bytes(),
        &crate::LintOptions {
            file_stem: None,
            today: 0,
        },
    )
    .diagnostics;
    let attempts = found
        .iter()
        .find(|found| found.path == "trigger.max_attempts")
        .expect("a finding");
    assert_eq!(
        attempts.help,
        "`max_attempts` belongs in `[claim]`: move it there"
    );
    assert!(
        !found.iter().any(|found| found.rule == "unbounded-attempts"),
        "{found:#?}"
    );
    let root = told(
        "[claim]\nlease = \"30s\"\nwindow = \"30d\"\nmax_attempts = 5\nworkflow = \"x\"\n# without workflow\n",
    );
    assert_eq!(root, ["unknown-field claim.workflow"]);
}

#[test]
fn tables_in_the_wrong_shape_say_what_to_write() {
    for name in [
        "trigger",
        "key",
        "request",
        "claim",
        "ordering",
        "response",
        "dead_letter",
        "cleanup",
    ] {
        for value in ["5", "\"x\"", "true", "[]", "2027-03-01"] {
            one(
                &format!("{name} = {value}\n"),
                &format!("wrong-type {name}"),
            );
        }
    }
    let effects = found("effects = {}\n");
    assert_eq!(
        effects[0].help,
        "write `[[effects]]` on a line of its own before each one"
    );
    one(
        "[effects]\nname = \"refunds\"\nkind = \"local\"\n",
        "wrong-type effects",
    );
    one("effects = 5\n", "wrong-type effects");
    one("effects = [5]\n", "wrong-type effects");
    clean("effects = [{ name = \"refunds\", kind = \"local\" }]\n");
    let single = found("[[claim]]\nlease = \"30s\"\nwindow = \"30d\"\nmax_attempts = 5\n");
    assert_eq!(
        single[0].fix.as_ref().expect("a fix").edits[0].text,
        "[claim]"
    );
    one(
        "[key]\nfields = [\"tenant_id\", \"refund_id\"]\nprevious = 5\n",
        "wrong-type key.previous",
    );
    one("allow = {}\n", "wrong-type allow");
}

#[test]
fn what_is_in_the_wrong_shape_is_not_missed_by_other_rules() {
    let options = crate::LintOptions {
        file_stem: None,
        today: 0,
    };
    for (name, value) in [
        ("claim", "5"),
        ("claim", "[]"),
        ("effects", "{}"),
        ("effects", "7"),
        ("dead_letter", "\"x\""),
        ("request", "1"),
        ("key", "1"),
        ("cleanup", "1"),
        ("response", "1"),
        ("payload", "1"),
        ("trigger", "1"),
    ] {
        let text = source(&format!("{name} = {value}\n"));
        let found = crate::lint(text.as_bytes(), &options).diagnostics;
        let told: Vec<_> = found
            .iter()
            .map(|found| (found.rule, &*found.path))
            .collect();
        assert_eq!(told, [("wrong-type", name)], "{name} = {value}");
    }
}

#[test]
fn lists_hold_texts_and_each_once() {
    for (snippet, path) in [
        (
            "[request]\nhash = [\"amount\", 5]\n",
            "wrong-type request.hash",
        ),
        (
            "[request]\nhash = [\"amount\", \"amount\"]\n",
            "invalid-value request.hash",
        ),
        ("[request]\nhash = 5\n", "wrong-type request.hash"),
        (
            "[trigger]\nkind = \"http\"\nevents = []\n",
            "invalid-value trigger.events",
        ),
        (
            "[trigger]\nkind = \"http\"\nevents = [\"a\", \"b\", \"a\"]\n",
            "invalid-value trigger.events",
        ),
        (
            "[response]\nredact = [\"a\", \"a\"]\n",
            "invalid-value response.redact",
        ),
        ("[key]\nfields = \"refund_id\"\n", "wrong-type key.fields"),
    ] {
        one(snippet, path);
    }
    let single = found("[key]\nfields = \"refund_id\"\n");
    assert_eq!(
        single[0].fix.as_ref().expect("a fix").edits[0].text,
        "[\"refund_id\"]"
    );
}
