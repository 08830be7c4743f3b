//! Which files are linted, and what they are called.

use std::os::unix::fs::symlink;

use crate::sandbox::{REFUND, Sandbox, edited};

/// One broken contract, so that its name is printed.
fn broken() -> String {
    edited(REFUND, "lease        = \"30s\"\n", "")
}

fn files(out: &str) -> Vec<&str> {
    let mut files: Vec<_> = out
        .lines()
        .filter_map(|line| line.split(':').next())
        .collect();
    files.dedup();
    files
}

#[test]
fn a_file_that_is_named_twice_is_linted_once() {
    let sandbox = Sandbox::new();
    let ran = sandbox.file("shop/refund-order.toml", broken()).run(&[
        "lint",
        "--format",
        "json",
        "shop",
        "./shop/refund-order.toml",
        "shop",
    ]);
    assert!(ran.out.contains("\"files\":1,\"errors\":1"), "{ran:?}");
}

#[test]
fn what_git_ignores_is_not_walked_and_what_is_named_is_linted() {
    let sandbox = Sandbox::new();
    sandbox.file(".gitignore", "old/\n");
    sandbox.file("contracts/old/refund-order.toml", broken());
    sandbox.file("contracts/refund-order.toml", REFUND);
    let walked = sandbox.run(&["lint", "--no-lock", "--format", "concise"]);
    assert_eq!(files(&walked.out), [""; 0], "{walked:?}");
    let named = sandbox.run(&[
        "lint",
        "--no-lock",
        "--format",
        "concise",
        "contracts/old/refund-order.toml",
    ]);
    assert!(named.out.contains("missing-lease"), "{named:?}");
}

#[test]
fn a_gitignore_holds_outside_a_repository_too() {
    let sandbox = Sandbox::new();
    std::fs::remove_dir(sandbox.path(".git")).expect("no repository");
    sandbox.file("shop/.gitignore", "old/\n");
    sandbox.file("shop/old/refund-order.toml", broken());
    assert_eq!(sandbox.run(&["lint", "shop"]).status, 3);
}

#[test]
fn an_excluded_file_stays_excluded_when_it_is_named() {
    let sandbox = Sandbox::new();
    sandbox.file("idem.toml", "exclude = [\"contracts/drafts/\"]\n");
    sandbox.file("contracts/drafts/refund-order.toml", broken());
    let ran = sandbox.run(&["lint", "contracts/drafts/refund-order.toml"]);
    assert_eq!(ran.status, 3, "{ran:?}");
    let name = "contracts/drafts/refund-order.toml";
    let args = ["lint", "-", "--stdin-file-name", name];
    let ran = sandbox.run_with_input(&args, broken().as_bytes());
    assert_eq!(ran.status, 3, "{ran:?}");
}

#[test]
fn a_lockfile_that_is_named_stands_for_the_contracts_beside_it() {
    let sandbox = Sandbox::new();
    sandbox.file("contracts/refund-order.toml", broken());
    assert_eq!(sandbox.run(&["lock"]).status, 0);
    let ran = sandbox.run(&["lint", "--format", "concise", "contracts/idem.lock"]);
    assert_eq!(files(&ran.out), ["contracts/refund-order.toml"], "{ran:?}");
}

#[test]
fn settings_of_other_tools_are_not_taken_for_contracts() {
    let sandbox = Sandbox::new();
    sandbox.file("Cargo.toml", "[package]\n");
    sandbox.file("rustfmt.toml", "max_width = 100\n");
    sandbox.file("idem.toml", "");
    sandbox.file("services/refund-order.toml", broken());
    let ran = sandbox.run(&["lint", ".", "--format", "concise"]);
    assert_eq!(files(&ran.out), ["services/refund-order.toml"], "{ran:?}");
}

#[test]
fn every_toml_file_of_a_folder_of_contracts_counts() {
    let sandbox = Sandbox::new();
    sandbox.file("contracts/empty.toml", "");
    let ran = sandbox.run(&["lint", "--no-lock", "--format", "concise"]);
    assert_eq!(files(&ran.out), ["contracts/empty.toml"], "{ran:?}");
}

#[test]
fn contracts_are_found_from_a_folder_below() {
    let sandbox = Sandbox::new();
    sandbox.file("idem.toml", "contracts = [\"specs\"]\n");
    sandbox.file("specs/refund-order.toml", broken());
    sandbox.file("src/lib.rs", "");
    let ran = sandbox.run_in(
        "src",
        &["lint", "--no-lock", "--format", "concise"],
        b"",
        &[],
    );
    assert_eq!(files(&ran.out), ["../specs/refund-order.toml"], "{ran:?}");
}

#[test]
fn a_link_to_a_contract_is_a_contract() {
    let sandbox = Sandbox::new();
    sandbox.file("elsewhere/text", broken());
    sandbox.file("contracts/readme.md", "");
    symlink(
        "../elsewhere/text",
        sandbox.path("contracts/refund-order.toml"),
    )
    .expect("a link");
    let ran = sandbox.run(&["lint", "--no-lock", "--format", "concise"]);
    assert_eq!(files(&ran.out), ["contracts/refund-order.toml"], "{ran:?}");
}

#[test]
fn standard_input_stands_for_the_file_that_is_named() {
    let sandbox = Sandbox::new();
    let text = broken();
    let args = [
        "lint",
        "-",
        "--format",
        "concise",
        "--stdin-file-name",
        "contracts/refund-order.toml",
    ];
    let ran = sandbox.run_with_input(&args, text.as_bytes());
    assert_eq!(ran.status, 1, "{ran:?}");
    assert_eq!(files(&ran.out), ["contracts/refund-order.toml"], "{ran:?}");
    assert!(!ran.out.contains("stale-lock"), "{ran:?}");
}

#[test]
fn standard_input_without_a_name_is_not_told_that_its_name_is_wrong() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run_with_input(&["lint", "-"], REFUND.as_bytes());
    assert_eq!(ran.status, 0, "{ran:?}");
}
