//! `idem-proof search` and `idem-proof soak`; people call them through `cargo xtask`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it prints what it finds"
)]

use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use idem_proof::soak::{self, Options, Problem};

/// How the program is called.
const USAGE: &str = "write one of: search [--deep], \
    soak <url> [--operations N] [--minutes N] [--seed N] [--twin NAME]";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["search"] => Ok(search(false)),
        ["search", "--deep"] => Ok(search(true)),
        ["soak", url, rest @ ..] => soak(url, rest),
        ["soak-worker", rest @ ..] => work(rest.first().copied()),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("idem-proof: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn search(deep: bool) -> bool {
    let findings = idem_proof::search::search(deep, |one| println!("{one}"));
    println!("\n{findings}");
    findings.passed()
}

fn soak(url: &str, words: &[&str]) -> Result<bool, Problem> {
    let (mut operations, mut minutes) = (200_000, 30);
    let mut seed = SystemTime::UNIX_EPOCH.elapsed()?.as_secs();
    let mut twin = None;
    for pair in words.chunks(2) {
        match pair {
            ["--operations", count] => operations = count.parse()?,
            ["--minutes", count] => minutes = count.parse()?,
            ["--seed", number] => seed = number.parse()?,
            ["--twin", name] => twin = Some(*name),
            _ => return Err(USAGE.into()),
        }
    }
    let mut options = Options::new(operations, Duration::from_secs(60 * minutes), seed);
    if let Some(name) = twin {
        options = options.broken(name)?;
    }
    println!("seed {seed}");
    let (figures, audit) = runtime()?.block_on(soak::soak(url, &options))?;
    println!("{figures}\n{audit}");
    let (passed, what) = match (twin, audit.passed()) {
        (None, true) => (true, "every promise kept".to_owned()),
        (None, false) => (false, "A PROMISE WAS BROKEN".to_owned()),
        (Some(twin), true) => (false, format!("the twin `{twin}` was NOT caught")),
        (Some(twin), false) => (true, format!("the twin `{twin}` was caught")),
    };
    println!("{what}");
    Ok(passed)
}

fn work(twin: Option<&str>) -> Result<bool, Problem> {
    runtime()?.block_on(soak::work(twin))?;
    Ok(true)
}

fn runtime() -> Result<tokio::runtime::Runtime, Problem> {
    Ok(tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?)
}
