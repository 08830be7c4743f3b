//! `cargo xtask search`: what is believed about the protocol, tried for longer than a test takes.

use std::process::{Command, ExitCode};

use crate::child::{self, Interrupt};
use crate::problem::Result;
use crate::workspace;

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
