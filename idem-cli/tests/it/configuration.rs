//! `idem.toml` and the options that go over it.

use crate::sandbox::{REFUND, Sandbox, edited};

fn broken() -> String {
    edited(REFUND, "lease        = \"30s\"\n", "")
}

#[test]
fn mistakes_of_a_configuration_are_all_shown_at_their_place() {
    let sandbox = Sandbox::new();
    sandbox.file("contracts/refund-order.toml", REFUND);
    sandbox.file(
        "idem.toml",
        "contrcts = \"contracts\"\n\n[lint]\nselect = [\"missing-lese\"]\nignore = [\"invalid-syntax\"]\n\
         severity = { missing-lease = \"loud\" }\n\n[[per-file]]\nignore = 3\n",
    );
    let ran = sandbox.run(&["lint"]);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{ran:?}");
    insta::assert_snapshot!("configuration_mistakes", ran.err);
}

#[test]
fn a_configuration_that_is_no_toml_is_shown_at_its_place() {
    let sandbox = Sandbox::new();
    sandbox.file("contracts/refund-order.toml", REFUND);
    sandbox.file("idem.toml", "contracts = \"contracts\n");
    let ran = sandbox.run(&["lint"]);
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(ran.err.contains("idem.toml:1:"), "{ran:?}");
}

#[test]
fn the_nearest_configuration_upward_holds_for_each_file() {
    let sandbox = Sandbox::new();
    sandbox.file("idem.toml", "[lint]\nignore = [\"missing-lease\"]\n");
    sandbox.file("one/refund-order.toml", broken());
    sandbox.file("two/idem.toml", "");
    sandbox.file("two/refund-order.toml", broken());
    let ran = sandbox.run(&["lint", "one", "two", "--format", "concise"]);
    assert!(!ran.out.contains("one/"), "{ran:?}");
    assert!(ran.out.contains("two/refund-order.toml"), "{ran:?}");
}

#[test]
fn a_rule_can_be_silenced_for_some_files() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "idem.toml",
        "[[per-file]]\nfiles = [\"legacy/*.toml\"]\nignore = [\"claim\"]\n",
    );
    sandbox.file("legacy/refund-order.toml", broken());
    assert_eq!(sandbox.run(&["lint", "legacy"]).status, 0);
    sandbox.file("modern/refund-order.toml", broken());
    assert_eq!(sandbox.run(&["lint", "modern"]).status, 1);
}

#[test]
fn a_severity_can_be_stated_for_all_files_and_for_some() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "idem.toml",
        "[lint]\nseverity = { missing-lease = \"info\" }\n\n\
         [[per-file]]\nfiles = \"strict/\"\nseverity = { missing-lease = \"warn\" }\n",
    );
    sandbox.file("lax/refund-order.toml", broken());
    sandbox.file("strict/refund-order.toml", broken());
    let lax = sandbox.run(&["lint", "lax", "--format", "concise", "--strict"]);
    assert!(lax.out.contains("info[missing-lease]"), "{lax:?}");
    assert_eq!(lax.status, 0);
    let strict = sandbox.run(&["lint", "strict", "--format", "concise", "--strict"]);
    assert!(strict.out.contains("warn[missing-lease]"), "{strict:?}");
    assert_eq!(strict.status, 1);
}

#[test]
fn the_command_line_goes_over_the_configuration() {
    let sandbox = Sandbox::new();
    sandbox.file("idem.toml", "[lint]\nignore = [\"missing-lease\"]\n");
    sandbox.file("refund-order.toml", broken());
    assert_eq!(sandbox.run(&["lint", "refund-order.toml"]).status, 0);
    let selected = sandbox.run(&["lint", "refund-order.toml", "--select", "missing-lease"]);
    assert_eq!(selected.status, 1, "{selected:?}");
    let group = sandbox.run(&["lint", "refund-order.toml", "--select", "claim"]);
    assert_eq!(group.status, 1, "{group:?}");
    let both = sandbox.run(&[
        "lint",
        "refund-order.toml",
        "--select",
        "claim",
        "--ignore",
        "missing-lease",
    ]);
    assert_eq!(both.status, 0, "{both:?}");
}

#[test]
fn selecting_a_rule_does_not_let_a_broken_file_pass() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "refund-order.toml",
        edited(REFUND, "lease        = \"30s\"", "lease = 30"),
    );
    let ran = sandbox.run(&["lint", "refund-order.toml", "--select", "missing-window"]);
    assert_eq!(ran.status, 1, "{ran:?}");
}
