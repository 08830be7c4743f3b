//! `idem lint --fix` and `--diff`.

use std::os::unix::fs::symlink;

use crate::sandbox::{REFUND, Sandbox, edited};

/// Two settings that are missing, and one that nobody can make up.
fn broken() -> String {
    let text = edited(REFUND, "lease        = \"30s\"\n", "");
    let text = edited(&text, "max_attempts = 5", "max_attempt = 5 # five");
    edited(&text, "origin = \"source-id\"", "origin = \"clock\"")
}

#[test]
fn what_keeps_behaviour_is_written_and_the_rest_is_reported() {
    let sandbox = Sandbox::new();
    let ran =
        sandbox
            .file("refund-order.toml", broken())
            .run(&["lint", "--fix", "refund-order.toml"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(ran.out.contains("clock-in-key"), "{ran:?}");
    assert!(!ran.out.contains("missing-lease"), "{ran:?}");
    assert!(ran.out.ends_with("2 findings fixed in 1 file\n"), "{ran:?}");
    let text = sandbox.read("refund-order.toml");
    assert!(text.contains("max_attempts = 5 # five\n"), "{text}");
    assert!(text.contains("\nlease = \"30s\"\n"), "{text}");
    assert!(text.contains("origin = \"clock\""), "{text}");
    for line in REFUND.lines().filter(|line| line.starts_with('#')) {
        assert!(text.contains(line), "{line}");
    }
}

#[test]
fn a_patch_is_shown_and_nothing_is_written() {
    let sandbox = Sandbox::new();
    let ran =
        sandbox
            .file("refund-order.toml", broken())
            .run(&["lint", "--diff", "refund-order.toml"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    insta::assert_snapshot!("fix_diff", ran.out);
    assert_eq!(sandbox.read("refund-order.toml"), broken());
    let sandbox = Sandbox::new();
    let clean =
        sandbox
            .file("refund-order.toml", REFUND)
            .run(&["lint", "--diff", "refund-order.toml"]);
    assert_eq!((clean.status, clean.out.as_str()), (0, ""), "{clean:?}");
}

#[test]
fn a_setting_that_is_ignored_is_not_written() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "refund-order.toml",
        edited(REFUND, "lease        = \"30s\"\n", ""),
    );
    let ran = sandbox.run(&[
        "lint",
        "--fix",
        "--ignore",
        "missing-lease",
        "refund-order.toml",
    ]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(
        !sandbox.read("refund-order.toml").contains("lease"),
        "{ran:?}"
    );
}

#[test]
fn a_link_stays_a_link() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "elsewhere/text",
        edited(REFUND, "lease        = \"30s\"\n", ""),
    );
    symlink("elsewhere/text", sandbox.path("refund-order.toml")).expect("a link");
    let ran = sandbox.run(&["lint", "--fix", "refund-order.toml"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(sandbox.path("refund-order.toml").is_symlink());
    assert!(sandbox.read("elsewhere/text").contains("lease"));
}

#[test]
fn what_a_live_key_is_made_of_is_not_changed_without_asking() {
    let sandbox = Sandbox::new();
    sandbox.file("contracts/refund-order.toml", REFUND);
    assert_eq!(sandbox.run(&["lock"]).status, 0);
    let twice = edited(
        REFUND,
        "\"tenant_id\", \"refund_id\"",
        "\"tenant_id\", \"refund_id\", \"refund_id\"",
    );
    sandbox.file("contracts/refund-order.toml", &twice);
    let ran = sandbox.run(&["lint", "--fix"]);
    assert!(ran.out.contains("duplicate-key-field"), "{ran:?}");
    assert_eq!(sandbox.read("contracts/refund-order.toml"), twice);
    let ran = sandbox.run(&["lint", "--fix", "--unsafe-fixes"]);
    assert_eq!(ran.status, 0, "{ran:?}");
}

#[test]
fn standard_input_and_half_a_wish_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("refund-order.toml", REFUND);
    for args in [
        &["lint", "--fix", "-"][..],
        &["lint", "--fix", "--diff", "refund-order.toml"],
        &["lint", "--unsafe-fixes", "refund-order.toml"],
    ] {
        let ran = sandbox.run(args);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{ran:?}");
    }
}
