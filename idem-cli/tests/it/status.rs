//! The exit status, and that one bad file hides nothing.

use std::os::unix::fs::symlink;

use crate::sandbox::{REFUND, Sandbox, edited};

#[test]
fn a_clean_contract_is_status_0() {
    let sandbox = Sandbox::new();
    let ran = sandbox
        .file("refund-order.toml", REFUND)
        .run(&["lint", "refund-order.toml"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{ran:?}");
}

#[test]
fn a_finding_that_fails_is_status_1() {
    let sandbox = Sandbox::new();
    let broken = edited(REFUND, "lease        = \"30s\"\n", "");
    let ran = sandbox
        .file("refund-order.toml", broken)
        .run(&["lint", "refund-order.toml"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(ran.out.contains("error[missing-lease]"), "{ran:?}");
}

#[test]
fn a_warning_fails_only_with_strict() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "refund-order.toml",
        edited(REFUND, "\"30d\"", "\"forever\""),
    );
    sandbox.file("idem.toml", "[lint.severity]\nmissing-lease = \"warn\"\n");
    sandbox.file(
        "refund-order.toml",
        edited(REFUND, "lease        = \"30s\"\n", ""),
    );
    assert_eq!(sandbox.run(&["lint", "refund-order.toml"]).status, 0);
    let strict = sandbox.run(&["lint", "--strict", "refund-order.toml"]);
    assert_eq!(strict.status, 1, "{strict:?}");
    assert!(strict.out.contains("warnings fail: --strict"), "{strict:?}");
}

#[test]
fn a_path_that_is_not_there_is_status_2_and_the_others_are_linted() {
    let sandbox = Sandbox::new();
    let broken = edited(REFUND, "lease        = \"30s\"\n", "");
    let ran =
        sandbox
            .file("refund-order.toml", broken)
            .run(&["lint", "nowhere", "refund-order.toml"]);
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(ran.out.contains("missing-lease"), "{ran:?}");
    assert!(
        ran.err.contains("there is no file or folder `nowhere`"),
        "{ran:?}"
    );
}

#[test]
fn an_unreadable_file_is_a_finding_and_hides_no_other() {
    let sandbox = Sandbox::new();
    symlink("gone.toml", sandbox.path("dangling.toml")).expect("a link");
    let broken = edited(REFUND, "lease        = \"30s\"\n", "");
    sandbox.file("refund-order.toml", broken);
    for format in ["human", "concise", "json"] {
        let ran = sandbox.run(&[
            "lint",
            "--format",
            format,
            "dangling.toml",
            "refund-order.toml",
        ]);
        assert_eq!(ran.status, 2, "{ran:?}");
        assert!(ran.out.contains("unreadable-file"), "{ran:?}");
        assert!(ran.out.contains("dangling.toml"), "{ran:?}");
        assert!(ran.out.contains("missing-lease"), "{ran:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_status_2_and_hide_no_other() {
    let sandbox = Sandbox::new();
    let mut bytes = REFUND.as_bytes().to_vec();
    bytes.extend(b"# \xff\xfe\n");
    sandbox.file("contracts/a.toml", bytes);
    sandbox.file(
        "contracts/refund-order.toml",
        edited(REFUND, "lease        = \"30s\"\n", ""),
    );
    let ran = sandbox.run(&["lint", "--no-lock", "--format", "concise"]);
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(
        ran.out.contains("contracts/a.toml:") && ran.out.contains("missing-lease"),
        "{ran:?}"
    );
}

#[test]
fn a_folder_that_is_named_like_a_file_is_walked() {
    let sandbox = Sandbox::new();
    let ran = sandbox
        .file("odd.toml/refund-order.toml", REFUND)
        .run(&["lint", "odd.toml", "--format", "json"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.out.contains("\"files\":1"), "{ran:?}");
}

#[test]
fn nothing_to_lint_is_status_3_unless_that_is_allowed() {
    let sandbox = Sandbox::new();
    sandbox.file("contracts/readme.md", "none yet");
    for args in [&["lint"][..], &["lint", "contracts"]] {
        let ran = sandbox.run(args);
        assert_eq!(ran.status, 3, "{ran:?}");
        assert!(ran.err.contains("nothing to lint"), "{ran:?}");
        let allowed = sandbox.run(&[args, &["--allow-empty"]].concat());
        assert_eq!(
            (allowed.status, allowed.err.as_str()),
            (0, ""),
            "{allowed:?}"
        );
    }
    assert_eq!(Sandbox::new().run(&["lint"]).status, 3);
}

#[test]
fn a_bad_option_is_status_2_and_says_what_was_meant() {
    let sandbox = Sandbox::new();
    sandbox.file("refund-order.toml", REFUND);
    let ran = sandbox.run(&["lint", "--select", "missing-leese", "--ignore", "kex"]);
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(
        ran.err.contains("there is no rule `missing-leese`"),
        "{ran:?}"
    );
    assert!(ran.err.contains("did you mean `missing-lease`?"), "{ran:?}");
    assert!(ran.err.contains("there is no rule `kex`"), "{ran:?}");
    for bad in [
        &["lint", "--format", "sarif"][..],
        &["lint", "--watch"],
        &["lint", "--output", "json"],
        &["lint", "--stdin-file-name", "a.toml", "refund-order.toml"],
        &["lint", "--ignore", "unreadable-file", "refund-order.toml"],
        &["nonsense"],
    ] {
        let ran = sandbox.run(bad);
        assert_eq!(ran.status, 2, "{bad:?}: {ran:?}");
        assert_eq!(ran.out, "", "{bad:?}");
    }
}
