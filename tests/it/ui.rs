//! What the compiler says about a wrong handler, and that it says nothing about an honest one.
//!
//! Each `.stderr` is the whole answer of the compiler that this project is pinned to; another
//! compiler words its own part differently.

use std::process::Command;

/// The compiler whose words are recorded.
const PINNED: &str = "rustc 1.95.";

#[expect(
    clippy::print_stderr,
    reason = "a test that was not run must say so where people look"
)]
fn is_pinned_compiler() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .expect("rustc tells its version")
        .stdout;
    let version = String::from_utf8_lossy(&version);
    if version.starts_with(PINNED) {
        return true;
    }
    assert!(
        std::env::var_os("CI").is_none(),
        "the compiler's answers are recorded for {PINNED}x, and this is {version}"
    );
    eprintln!("not run: the compiler's answers are recorded for {PINNED}x, and this is {version}");
    false
}

#[test]
fn wrong_handlers_are_refused_in_our_words() {
    if is_pinned_compiler() {
        trybuild::TestCases::new().compile_fail("tests/ui/fail/*.rs");
    }
}

#[test]
fn honest_handlers_compile_and_run() {
    if is_pinned_compiler() {
        trybuild::TestCases::new().pass("tests/ui/pass/*.rs");
    }
}
