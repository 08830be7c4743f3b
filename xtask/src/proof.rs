//! `cargo xtask search` and `cargo xtask soak`: what is believed about the protocol, tried for longer than a test takes.

use std::process::{Command, ExitCode};

use crate::child::{self, Interrupt};
use crate::problem::{Problem, Result};
use crate::services::{self, Durability};
use crate::workspace;

/// How long and how hard.
#[derive(Debug, clap::Args)]
pub(crate) struct Soak {
    /// At most so many operations.
    #[arg(long, default_value_t = 200_000)]
    operations: u64,
    /// No operation is begun after so many minutes.
    #[arg(long, default_value_t = 30)]
    minutes: u64,
    /// Repeats the choices of another run; the clock's until told otherwise.
    #[arg(long)]
    seed: Option<u64>,
    /// A broken handler, which the ledger must catch: no-claim, check-then-insert, write-outside.
    #[arg(long)]
    twin: Option<String>,
}

/// Searches every schedule of the protocol.
pub(crate) fn search(deep: bool) -> Result<ExitCode> {
    let interrupt = Interrupt::catch()?;
    let mut cargo = command();
    cargo.arg("search");
    if deep {
        cargo.arg("--deep");
    }
    run(cargo, &interrupt)
}

/// Soaks the protocol on a private server, which is not killed, so that it owes the disk nothing.
pub(crate) fn soak(soak: &Soak) -> Result<ExitCode> {
    const VARIABLE: &str = "IDEM_TEST_POSTGRES_URL";
    let interrupt = Interrupt::catch()?;
    let (servers, missing) = services::for_tests(Durability::Throwaway);
    let server = servers.iter().find(|server| server.variable() == VARIABLE);
    let Some(server) = server else {
        return Err(Problem::new(missing.join("\n")));
    };
    let mut cargo = command();
    cargo.args(["soak", server.url()]);
    for (word, number) in [
        ("--operations", Some(soak.operations)),
        ("--minutes", Some(soak.minutes)),
        ("--seed", soak.seed),
    ] {
        if let Some(number) = number {
            cargo.args([word, &number.to_string()]);
        }
    }
    if let Some(twin) = &soak.twin {
        cargo.args(["--twin", twin]);
    }
    run(cargo, &interrupt)
}

/// The development profile optimises this one package.
fn command() -> Command {
    let mut cargo = workspace::cargo();
    cargo.args(["run", "--quiet", "--package", "idem-proof", "--"]);
    cargo
}

fn run(cargo: Command, interrupt: &Interrupt) -> Result<ExitCode> {
    let status = child::run(cargo, interrupt, |line| println!("{line}"))?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
