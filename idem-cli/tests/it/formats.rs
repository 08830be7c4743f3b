//! What each format writes.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::sandbox::{REFUND, Sandbox, edited};

/// Two mistakes of different rules.
fn broken() -> String {
    let text = edited(REFUND, "lease        = \"30s\"\n", "");
    edited(&text, "max_attempts = 5", "max_attempt = 5")
}

fn json(out: &str) -> Value {
    serde_json::from_str(out).expect("one JSON object")
}

#[test]
fn json_has_exactly_the_members_of_version_1() {
    let sandbox = Sandbox::new();
    sandbox.file("refund-order.toml", broken());
    let ran = sandbox.run(&["lint", "--format", "json", "refund-order.toml"]);
    let whole = json(&ran.out);
    let members = |value: &Value| -> BTreeSet<String> {
        value
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect()
    };
    let set = |names: &[&str]| -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    };
    assert_eq!(members(&whole), set(&["version", "summary", "diagnostics"]));
    assert_eq!(whole["version"], 1);
    assert_eq!(
        members(&whole["summary"]),
        set(&["files", "errors", "warnings", "infos"])
    );
    assert_eq!(whole["summary"]["files"], 1);
    let always = set(&[
        "rule", "severity", "file", "span", "message", "why", "help", "url",
    ]);
    let sometimes = set(&["related", "fix"]);
    let findings = whole["diagnostics"].as_array().expect("a list");
    assert!(findings.len() >= 2, "{whole}");
    for finding in findings {
        let found = members(finding);
        assert!(found.is_superset(&always), "{finding}");
        assert!(
            found.is_subset(&always.union(&sometimes).cloned().collect()),
            "{finding}"
        );
        for end in ["start", "end"] {
            assert_eq!(
                members(&finding["span"][end]),
                set(&["line", "column", "offset"]),
                "{finding}"
            );
        }
    }
    let lease = findings
        .iter()
        .find(|finding| finding["rule"] == "missing-lease")
        .expect("the finding about the lease");
    assert_eq!(members(&lease["fix"]), set(&["safe", "edits"]));
    assert_eq!(
        members(&lease["fix"]["edits"][0]),
        set(&["start", "end", "text"])
    );
}

#[test]
fn concise_is_one_line_a_finding() {
    let sandbox = Sandbox::new();
    sandbox.file("refund-order.toml", broken());
    let ran = sandbox.run(&["lint", "--format", "concise", "refund-order.toml"]);
    insta::assert_snapshot!("concise", ran.out);
}

#[test]
fn columns_count_characters_whatever_stands_before() {
    let line = edited(
        REFUND,
        "owner    = \"team-payments\"",
        "owner = \"😀é\" oops = 1",
    );
    let plain = edited(
        REFUND,
        "owner    = \"team-payments\"",
        "owner = \"ab\" oops = 1",
    );
    let place = |text: &str| {
        let sandbox = Sandbox::new();
        sandbox.file("refund-order.toml", text);
        let ran = sandbox.run(&["lint", "--format", "json", "refund-order.toml"]);
        json(&ran.out)["diagnostics"][0]["span"]["start"].clone()
    };
    let (emoji, plain) = (place(&line), place(&plain));
    assert_eq!(emoji["line"], plain["line"]);
    assert_eq!(emoji["column"], plain["column"]);
    assert_ne!(emoji["offset"], plain["offset"]);
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_move_no_column() {
    let text = broken();
    let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let places = |text: &str| -> Vec<(Value, Value, Value)> {
        let sandbox = Sandbox::new();
        sandbox.file("refund-order.toml", text);
        let ran = sandbox.run(&["lint", "--format", "json", "refund-order.toml"]);
        json(&ran.out)["diagnostics"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|finding| {
                let start = &finding["span"]["start"];
                (
                    finding["rule"].clone(),
                    start["line"].clone(),
                    start["column"].clone(),
                )
            })
            .collect()
    };
    assert_eq!(places(&windows), places(&text));
    let sandbox = Sandbox::new();
    sandbox.file("refund-order.toml", &windows);
    let human = sandbox.run(&["lint", "refund-order.toml"]);
    sandbox.file("refund-order.toml", &text);
    assert_eq!(human.out, sandbox.run(&["lint", "refund-order.toml"]).out);
    sandbox.file("refund-order.toml", "\u{feff}contrct = 1\n");
    let first_line = sandbox.run(&["lint", "refund-order.toml"]);
    assert!(
        first_line.out.contains("refund-order.toml:1:1\n"),
        "{first_line:?}"
    );
    assert!(!first_line.out.contains('\u{feff}'), "{first_line:?}");
}

#[test]
fn findings_come_by_file_and_place_and_twice_the_same() {
    let sandbox = Sandbox::new();
    for name in ["b", "a", "c"] {
        sandbox.file(&format!("shop/{name}.toml"), broken());
    }
    let run = || sandbox.run(&["lint", "--format", "concise", "shop"]).out;
    let first = run();
    let mut keys: Vec<(String, u32, u32)> = Vec::new();
    for line in first.lines() {
        let mut parts = line.split(':');
        let file = parts.next().expect("a file").to_owned();
        let mut number = || {
            parts
                .next()
                .and_then(|text| text.parse().ok())
                .expect("a number")
        };
        keys.push((file, number(), number()));
    }
    assert!(keys.len() >= 6 && keys.is_sorted(), "{first}");
    assert_eq!(first, run());
}

#[test]
fn one_run_writes_several_formats() {
    let sandbox = Sandbox::new();
    sandbox.file("refund-order.toml", broken());
    let ran = sandbox.run(&[
        "lint",
        "--output",
        "json=out.json",
        "--output",
        "concise=out.txt",
        "refund-order.toml",
    ]);
    assert!(ran.out.contains("= why: "), "{ran:?}");
    assert_eq!(json(&sandbox.read("out.json"))["version"], 1);
    let concise = sandbox.run(&["lint", "--format", "concise", "refund-order.toml"]);
    assert_eq!(sandbox.read("out.txt"), concise.out);
    let lost = sandbox.run(&[
        "lint",
        "--output",
        "json=no/folder.json",
        "refund-order.toml",
    ]);
    assert_eq!(lost.status, 2, "{lost:?}");
    assert!(
        lost.err.contains("cannot write `no/folder.json`"),
        "{lost:?}"
    );
}

#[test]
fn statistics_count_by_rule_and_leave_a_machine_format_alone() {
    let sandbox = Sandbox::new();
    sandbox.file("refund-order.toml", broken());
    let human = sandbox.run(&["lint", "--statistics", "refund-order.toml"]);
    assert!(
        human.out.contains("     1  error  missing-lease\n"),
        "{human:?}"
    );
    let machine = sandbox.run(&[
        "lint",
        "--statistics",
        "--format",
        "json",
        "refund-order.toml",
    ]);
    json(&machine.out);
    assert!(machine.err.contains("missing-lease"), "{machine:?}");
}

#[test]
fn a_pipe_gets_no_colour_unless_it_asks() {
    let sandbox = Sandbox::new();
    sandbox.file("refund-order.toml", broken());
    let coloured = |args: &[&str], environment: &[(&str, &str)]| {
        let args = [&["lint", "refund-order.toml"], args].concat();
        sandbox
            .run_in("", &args, b"", environment)
            .out
            .contains('\u{1b}')
    };
    assert!(!coloured(&[], &[]));
    assert!(coloured(&["--color", "always"], &[]));
    assert!(coloured(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(
        &[],
        &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]
    ));
    assert!(!coloured(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&["--format", "json"], &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn an_escape_sequence_of_a_contract_does_not_reach_the_terminal() {
    let sandbox = Sandbox::new();
    let text = edited(REFUND, "owner    =", "\"\\u001b[31mred\" = 1\nowner    =");
    sandbox.file("refund-order.toml", text);
    for format in ["human", "concise", "json"] {
        let ran = sandbox.run(&["lint", "--format", format, "refund-order.toml"]);
        assert_eq!(ran.status, 1, "{ran:?}");
        assert!(!ran.out.contains('\u{1b}'), "{ran:?}");
    }
}

#[test]
fn of_a_line_too_long_to_be_read_only_the_place_is_named() {
    let sandbox = Sandbox::new();
    let names: Vec<_> = (0..1000)
        .map(|number| format!("\"undeclared_{number:04}\""))
        .collect();
    let fields = format!("fields = [{}]", names.join(", "));
    let text = edited(REFUND, "fields = [\"tenant_id\", \"refund_id\"]", &fields);
    sandbox.file("refund-order.toml", &text);
    let ran = sandbox.run(&["lint", "refund-order.toml"]);
    let line = 1 + text[..text.find("\"undeclared_0999\"").expect("the last name")]
        .matches('\n')
        .count();
    let place = format!("refund-order.toml:{line}:{}", 11 + 999 * 19);
    assert!(ran.out.contains(&place), "{place}\n{}", &ran.out[..2000]);
    assert!(
        !ran.out.contains("\"undeclared_0999\""),
        "the line is drawn"
    );
    assert_eq!(ran.status, 1);
}
