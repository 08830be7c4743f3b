//! `idem.lock`, and the rules that see several files.

use crate::sandbox::{REFUND, Sandbox, edited};

/// A project with one contract and its lockfile.
fn locked() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("contracts/refund-order.toml", REFUND);
    let ran = sandbox.run(&["lock"]);
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (0, "wrote contracts/idem.lock\n"),
        "{ran:?}"
    );
    sandbox
}

fn other_key() -> String {
    edited(
        REFUND,
        "fields = [\"tenant_id\", \"refund_id\"]",
        "fields = [\"tenant_id\", \"order_id\"]",
    )
}

#[test]
fn a_folder_of_contracts_without_a_lockfile_is_told_what_to_run() {
    let sandbox = Sandbox::new();
    sandbox.file("contracts/refund-order.toml", REFUND);
    let ran = sandbox.run(&["lint"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    insta::assert_snapshot!("lock_missing", ran.out);
    assert_eq!(sandbox.run(&["lint", "--no-lock"]).status, 0);
    assert_eq!(sandbox.run(&["lock", "--check"]).status, 1);
}

#[test]
fn a_lockfile_that_is_current_is_left_alone() {
    let sandbox = locked();
    let before = sandbox.read("contracts/idem.lock");
    assert_eq!(sandbox.run(&["lint"]).status, 0);
    assert_eq!(sandbox.run(&["lock", "--check"]).status, 0);
    assert_eq!(sandbox.run(&["lock"]).out, "kept contracts/idem.lock\n");
    assert_eq!(sandbox.read("contracts/idem.lock"), before);
}

#[test]
fn another_key_under_the_same_version_is_shown_beside_the_old_one() {
    let sandbox = locked();
    sandbox.file("contracts/refund-order.toml", other_key());
    let ran = sandbox.run(&["lint"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    insta::assert_snapshot!("lock_key_changed", ran.out);
    let json = sandbox.run(&["lint", "--format", "json"]);
    let whole: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    let related = &whole["diagnostics"][0]["related"][0];
    assert_eq!(related["file"], "contracts/idem.lock");
    assert!(
        related["span"]["start"]["line"]
            .as_u64()
            .is_some_and(|line| line > 1),
        "{whole}"
    );
}

#[test]
fn a_change_that_forgets_live_keys_is_recorded_only_when_that_is_said() {
    let sandbox = locked();
    let before = sandbox.read("contracts/idem.lock");
    sandbox.file("contracts/refund-order.toml", other_key());
    let refused = sandbox.run(&["lock"]);
    assert_eq!(refused.status, 1, "{refused:?}");
    assert!(refused.out.contains("key-recipe-changed"), "{refused:?}");
    assert!(refused.err.contains("was not written"), "{refused:?}");
    assert_eq!(sandbox.read("contracts/idem.lock"), before);
    assert_eq!(sandbox.run(&["lock", "--accept"]).status, 0);
    assert_eq!(sandbox.run(&["lint"]).status, 0);
}

#[test]
fn a_contract_that_is_added_makes_the_lockfile_stale() {
    let sandbox = locked();
    sandbox.file(
        "contracts/refund-again.toml",
        edited(
            REFUND,
            "workflow = \"refund-order\"",
            "workflow = \"refund-again\"",
        ),
    );
    let ran = sandbox.run(&["lint", "--format", "concise"]);
    assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
    assert!(ran.out.contains("contracts/refund-again.toml") && ran.out.contains("stale-lock"));
    assert_eq!(
        sandbox.run(&["lint", "contracts/refund-order.toml"]).status,
        0
    );
    assert_eq!(sandbox.run(&["lock"]).status, 0);
    assert_eq!(sandbox.run(&["lint"]).status, 0);
}

#[test]
fn a_contract_that_cannot_be_read_keeps_the_lockfile_as_it_is() {
    let sandbox = locked();
    let before = sandbox.read("contracts/idem.lock");
    sandbox.file(
        "contracts/refund-order.toml",
        edited(REFUND, "version  = 1", "version  = \"one\""),
    );
    let ran = sandbox.run(&["lock"]);
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(
        ran.err
            .contains("`idem lint contracts/refund-order.toml` says why"),
        "{ran:?}"
    );
    assert_eq!(sandbox.read("contracts/idem.lock"), before);
}

#[test]
fn a_broken_lockfile_is_a_finding_at_its_place() {
    let sandbox = locked();
    sandbox.file("contracts/idem.lock", "lock = 1\n[[workflow]]\nname = 3\n");
    let ran = sandbox.run(&["lint", "--format", "concise"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(
        ran.out
            .contains("contracts/idem.lock:3:1: error[stale-lock]"),
        "{ran:?}"
    );
    assert_eq!(sandbox.run(&["lock"]).status, 1);
}

#[test]
fn a_file_outside_a_folder_of_contracts_needs_no_lockfile() {
    let sandbox = Sandbox::new();
    sandbox.file("specs/refund-order.toml", REFUND);
    assert_eq!(sandbox.run(&["lint", "specs"]).status, 0);
    sandbox.file("idem.toml", "contracts = \"specs\"\n");
    assert_eq!(sandbox.run(&["lint", "specs/refund-order.toml"]).status, 1);
}

#[test]
fn two_contracts_of_one_workflow_are_found_whichever_is_named() {
    let sandbox = locked();
    sandbox.file("contracts/more/refund-order.toml", REFUND);
    for named in [
        "contracts/refund-order.toml",
        "contracts/more/refund-order.toml",
    ] {
        let ran = sandbox.run(&["lint", "--no-lock", "--format", "concise", named]);
        assert_eq!(ran.status, 1, "{ran:?}");
        assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
        assert!(ran.out.starts_with(named), "{ran:?}");
        assert!(ran.out.contains("duplicate-workflow"), "{ran:?}");
    }
    let human = sandbox.run(&["lint", "--no-lock", "contracts/refund-order.toml"]);
    insta::assert_snapshot!("duplicate_workflow", human.out);
    assert_eq!(sandbox.run(&["lock"]).status, 2);
}

#[test]
fn a_finding_of_the_lockfile_can_be_silenced_with_a_reason() {
    let sandbox = locked();
    let allow = "\n[[allow]]\nrule = \"window-shortened\"\nreason = \"Retries end after a day, by contract.\"\n";
    sandbox.file(
        "contracts/refund-order.toml",
        edited(REFUND, "window       = \"30d\"", "window = \"20d\"") + allow,
    );
    let ran = sandbox.run(&["lint", "--format", "concise"]);
    assert!(!ran.out.contains("window-shortened"), "{ran:?}");
    assert!(!ran.out.contains("unused-allow"), "{ran:?}");
}
