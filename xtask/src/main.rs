//! The project's chores: `cargo xtask <chore>`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore talks to the person who runs it"
)]

mod bench;
mod child;
mod codegen;
mod new_rule;
mod problem;
mod proof;
mod services;
mod test;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use problem::{Problem, Result};

/// The project's chores.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

/// One chore each.
#[derive(Debug, Subcommand)]
enum Chore {
    /// Starts, stops or shows the private servers that tests use.
    Services {
        /// What to do; without a word: start them and print their URLs.
        #[command(subcommand)]
        action: Option<services::Action>,
    },
    /// Starts what is missing, runs every test, stops what it started, says how many passed.
    Test(test::Arguments),
    /// Checks what no compiler checks: sizes, floors, documents, contracts, generated files.
    Tidy,
    /// Writes a rule's file, its `mod` line and its entry in the list.
    NewRule(new_rule::Arguments),
    /// Writes the sources that are generated from data.
    Codegen {
        /// Writes nothing; fails when a generated source is not current.
        #[arg(long)]
        check: bool,
    },
    /// Measures, and prints ratios beside their targets; numbers never fail the run.
    Bench {
        /// What to measure.
        subject: bench::Subject,
        /// Handed to the benchmark.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        pass: Vec<String>,
    },
    /// Searches every schedule of the claim protocol, and of its broken twins.
    Search {
        /// Lets more go wrong in one schedule: many minutes, and some gigabytes of memory.
        #[arg(long)]
        deep: bool,
    },
    /// Kills, stops and duplicates on Postgres, held against a ledger at the end.
    Soak(proof::Soak),
}

fn main() -> ExitCode {
    match run(Arguments::parse().chore) {
        Ok(code) => code,
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(chore: Chore) -> Result<ExitCode> {
    match chore {
        Chore::Services { action } => services::run(action.unwrap_or(services::Action::Up)),
        Chore::Test(arguments) => test::run(&arguments),
        Chore::Tidy => tidy::run(),
        Chore::NewRule(arguments) => new_rule::run(&arguments),
        Chore::Codegen { check } => codegen::run(check)
            .map(|()| ExitCode::SUCCESS)
            .map_err(Problem::new),
        Chore::Bench { subject, pass } => bench::run(subject, &pass),
        Chore::Search { deep } => proof::search(deep),
        Chore::Soak(soak) => proof::soak(&soak),
    }
}

/// Every word that may follow `cargo xtask`.
fn chores() -> Vec<String> {
    Arguments::command()
        .get_subcommands()
        .map(|chore| chore.get_name().to_owned())
        .collect()
}
