//! What the binary says about itself.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::sandbox::{REFUND, Sandbox, edited};

#[test]
fn completions_are_a_script_that_the_shell_can_read() {
    let script = Sandbox::new().run(&["completions", "bash"]);
    assert_eq!(script.status, 0, "{script:?}");
    let mut bash = Command::new("bash")
        .arg("-n")
        .stdin(Stdio::piped())
        .spawn()
        .expect("bash");
    bash.stdin
        .take()
        .expect("a pipe")
        .write_all(script.out.as_bytes())
        .expect("the script is read");
    assert!(bash.wait().expect("the end of bash").success());
    assert!(script.out.contains("idem__subcmd__lint") || script.out.contains("idem,lint"));
    for shell in ["zsh", "fish", "elvish", "powershell"] {
        let script = Sandbox::new().run(&["completions", shell]);
        assert!(
            script.status == 0 && script.out.contains("explain"),
            "{shell}"
        );
    }
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let sandbox = Sandbox::new();
    let page = sandbox.run(&["man"]);
    assert!(page.out.contains(".TH idem 1"), "{page:?}");
    assert_eq!(sandbox.run(&["man", "--output", "pages"]).status, 0);
    let lint = sandbox.read("pages/idem-lint.1");
    assert!(
        lint.contains("allow") && lint.contains(".SH OPTIONS"),
        "{lint}"
    );
}

#[test]
fn the_page_of_a_rule_is_shown() {
    let sandbox = Sandbox::new();
    let page = sandbox.run(&["explain", "missing-lease"]);
    assert_eq!(page.status, 0, "{page:?}");
    for heading in [
        "# missing-lease",
        "## What it does",
        "## Why it hurts",
        "## Bad",
        "## Good",
    ] {
        assert!(page.out.contains(heading), "{page:?}");
    }
}

#[test]
fn the_compilers_code_behind_an_impure_key_leads_to_the_rule() {
    let sandbox = Sandbox::new();
    let page = sandbox.run(&["explain", "E0015"]);
    assert_eq!(page.out, sandbox.run(&["explain", "impure-key"]).out);
    assert!(page.out.starts_with("# impure-key"), "{page:?}");
}

#[test]
fn a_rule_that_does_not_exist_is_status_2_with_the_one_that_was_meant() {
    let ran = Sandbox::new().run(&["explain", "mising-lease"]);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{ran:?}");
    assert!(ran.err.contains("did you mean `missing-lease`?"), "{ran:?}");
}

#[test]
fn the_list_of_rules_is_for_people_and_for_programs() {
    let sandbox = Sandbox::new();
    let human = sandbox.run(&["rules"]).out;
    let json = sandbox.run(&["rules", "--format", "json"]).out;
    let list: Vec<Value> = serde_json::from_str(&json).expect("a list");
    assert!(!list.is_empty());
    for rule in &list {
        let members = rule.as_object().expect("an object");
        let names: Vec<_> = members.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            ["group", "rule", "severity", "since", "summary", "where"]
        );
        assert!(
            members
                .values()
                .all(|value| value.as_str().is_some_and(|text| !text.is_empty()))
        );
        assert!(human.contains(rule["rule"].as_str().expect("an id")));
    }
}

#[test]
fn the_ladder_shows_what_each_key_stands_on() {
    let sandbox = Sandbox::new();
    let weak = edited(
        REFUND,
        "refund_id = { type = \"string\",  origin = \"source-id\" }",
        "refund_id = { type = \"string\", origin = \"content\" }",
    );
    let lies = edited(
        REFUND,
        "refund_id = { type = \"string\",  origin = \"source-id\" }",
        "refund_id = { type = \"string\", origin = \"clock\" }",
    );
    sandbox.file("contracts/a.toml", REFUND);
    sandbox.file("contracts/b.toml", weak);
    sandbox.file("contracts/c.toml", lies);
    sandbox.file(
        "contracts/d.toml",
        edited(REFUND, "\"tenant_id\", \"refund_id\"", "\"tenant_id\""),
    );
    let ran = sandbox.run(&["ladder"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    insta::assert_snapshot!("ladder", ran.out);
    let json: Value =
        serde_json::from_str(&sandbox.run(&["ladder", "--format", "json"]).out).expect("JSON");
    assert_eq!(json["workflows"][0]["rung"], 1);
    assert_eq!(json["workflows"][2]["rung"], Value::Null);
    assert_eq!(json["workflows"][2]["verdict"], "lies");
    assert_eq!(sandbox.run(&["ladder", "nowhere"]).status, 2);
}

#[test]
fn a_folder_without_contracts_is_told_how_to_begin() {
    for words in [
        &["ladder"][..],
        &["drill"],
        &["generate", "handler", "--database", "sqlite"],
    ] {
        let nothing = Sandbox::new().run(words);
        assert_eq!(nothing.status, 3, "{nothing:?}");
        assert!(nothing.err.contains("`idem new <workflow>`"), "{nothing:?}");
    }
}

#[test]
fn the_schema_beside_the_worked_contracts_is_the_one_that_is_printed() {
    let ran = Sandbox::new().run(&["schema"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let committed = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../contracts/contract.schema.json"
    );
    let committed = std::fs::read_to_string(committed).expect("the committed schema");
    assert_eq!(
        ran.out, committed,
        "write it anew: idem schema > contracts/contract.schema.json"
    );
}
