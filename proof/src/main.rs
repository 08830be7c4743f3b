//! `idem-proof search` and `idem-proof soak`; people call them through `cargo xtask`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it prints what it finds"
)]

use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["search"] => search(false),
        ["search", "--deep"] => search(true),
        _ => {
            eprintln!("idem-proof: write one of: search, search --deep");
            ExitCode::FAILURE
        }
    }
}

fn search(deep: bool) -> ExitCode {
    let findings = idem_proof::search::search(deep, |one| println!("{one}"));
    println!("\n{findings}");
    if findings.passed() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
