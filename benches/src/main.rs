//! Benchmarks of idem, each beside what it must be compared with. Numbers are ratios: absolute times
//! move by a third between two runs on one machine.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its table"
)]

mod attribute;
mod claim;
mod lint;
mod ratio;
mod sweep;

use std::process::ExitCode;

/// Why a benchmark could not run.
type Problem = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    if let Some(called) = attribute::stand_in() {
        return called.unwrap_or_else(|problem| failed(&problem));
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.split_first() {
        Some((&"claim", rest)) => claim::run(rest),
        Some((&"lint", rest)) => lint::run(rest),
        Some((&"attribute", rest)) => attribute::run(rest),
        Some((&"sweep", rest)) => sweep::run(rest),
        Some(_) | None => Err("write one of: claim, lint, attribute, sweep".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => failed(&problem),
    }
}

fn failed(problem: &Problem) -> ExitCode {
    eprintln!("idem-bench: {problem}");
    ExitCode::FAILURE
}
