//! The `idem` command, as a library.
//!
//! A command is one file in `commands/`, an output format one file in `output/`; each is named in
//! one list. Everything that touches the world (files, clock, terminal, database) is in this crate;
//! what a contract means is decided below it.

mod args;
mod commands;
mod config;
mod console;
mod database;
mod diff;
mod discover;
mod engine;
mod fix;
mod lockfile;
#[cfg(feature = "ops")]
mod ops;
mod output;
mod paths;
mod problem;
mod project;
mod selection;
mod suggest;

use std::process::ExitCode;

pub use args::Cli;
pub use console::Console;
pub use problem::{Problem, Problems};

/// How a run ended, in the numbers of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: nothing that fails.
    Fine,
    /// 1: findings that fail, or files that are not current.
    Findings,
    /// 2: it could not be done, or not wholly: a bad option, an unreadable file, no such path, bad
    /// configuration, a store out of reach.
    CouldNotRun,
    /// 3: nothing to lint.
    Nothing,
}

impl Exit {
    /// The exit status.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Findings => 1,
            Self::CouldNotRun => 2,
            Self::Nothing => 3,
        }
    }
}

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let cli = <Cli as clap::Parser>::parse();
    let mut console = match Console::of_the_process(cli.color) {
        Ok(console) => console,
        Err(_) => return ExitCode::from(Exit::CouldNotRun.code()),
    };
    ExitCode::from(run(cli, &mut console).code())
}

/// Runs one command on `console`; problems of the run itself are printed on its standard error.
#[must_use]
pub fn run(cli: Cli, console: &mut Console) -> Exit {
    let ended = commands::run(cli.command, console).and_then(|exit| {
        console.flush()?;
        Ok(exit)
    });
    match ended {
        Ok(exit) => exit,
        Err(problems) => {
            console.report(&problems);
            Exit::CouldNotRun
        }
    }
}
