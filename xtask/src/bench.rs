//! `cargo xtask bench`: measures; never judges.

use std::process::{Command, ExitCode};

use clap::ValueEnum;

use crate::child::{self, Interrupt};
use crate::problem::Result;
use crate::services::{self, Durability};
use crate::workspace;

/// What to measure.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Subject {
    /// Claim, handler and commit through the macro, beside hand-written code on the same driver.
    Claim,
    /// The linter, beside reading and parsing the same files.
    Lint,
    /// The attribute under `cargo check`, beside two well-known attributes.
    Attribute,
    /// Sweeping, beside the claims that it must not slow.
    Sweep,
}

/// Runs the benchmark in a release build, with servers in their default, durable settings.
pub(crate) fn run(subject: Subject, pass: &[String]) -> Result<ExitCode> {
    let interrupt = Interrupt::catch()?;
    let word = match subject {
        Subject::Claim => "claim",
        Subject::Lint => "lint",
        Subject::Attribute => "attribute",
        Subject::Sweep => "sweep",
    };
    let servers = match subject {
        Subject::Claim | Subject::Sweep => {
            let (servers, missing) = services::for_tests(Durability::Durable);
            for reason in missing {
                eprintln!("not measured: {reason}");
            }
            servers
        }
        Subject::Lint | Subject::Attribute => Vec::new(),
    };
    let mut cargo: Command = workspace::cargo();
    cargo.args([
        "run",
        "--release",
        "--quiet",
        "--package",
        "idem-bench",
        "--",
        word,
    ]);
    cargo.args(pass);
    for server in &servers {
        cargo.env(server.variable(), server.url());
    }
    let status = child::run(cargo, &interrupt, |line| println!("{line}"))?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
