//! The soak, as short as it can be and still catch its twins. The long one is `cargo xtask soak`.

use std::process::Command;

const URL: &str = "IDEM_TEST_POSTGRES_URL";

/// Runs a soak; what it printed, and whether it was content. `None` where there is no server.
fn soak(words: &[&str]) -> Option<(String, bool)> {
    let Ok(url) = std::env::var(URL) else {
        let required = std::env::var_os("CI").is_some();
        assert!(
            !required,
            "not run: Postgres ({URL} is not set, and services are required)"
        );
        return None;
    };
    let output = Command::new(env!("CARGO_BIN_EXE_idem-proof"))
        .args(["soak", &url, "--minutes", "2", "--seed", "1"])
        .args(words)
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let trouble = String::from_utf8_lossy(&output.stderr);
    Some((format!("{said}{trouble}"), output.status.success()))
}

#[test]
fn a_short_soak_keeps_every_promise() {
    if let Some((said, content)) = soak(&["--operations", "1500"]) {
        assert!(content, "{said}");
        assert!(said.contains("every promise kept"), "{said}");
    }
}

#[test]
fn the_ledger_catches_every_broken_handler() {
    for twin in ["no-claim", "check-then-insert", "write-outside"] {
        if let Some((said, content)) = soak(&["--operations", "1500", "--twin", twin]) {
            assert!(content, "{said}");
            assert!(said.contains(&format!("`{twin}` was caught")), "{said}");
        }
    }
}

#[test]
fn a_twin_that_does_not_exist_is_told_which_do() {
    let output = Command::new(env!("CARGO_BIN_EXE_idem-proof"))
        .args(["soak", "postgres://nowhere", "--twin", "none"])
        .output()
        .expect("the program starts");
    let trouble = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(trouble.contains("check-then-insert"), "{trouble}");
}
