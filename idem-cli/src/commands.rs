//! The commands. One is a file here, a `mod` line, a variant and an arm.

use clap::Subcommand;

use crate::Exit;
use crate::console::Console;
use crate::problem::Problems;

mod completions;
#[cfg(feature = "ops")]
mod drill;
mod expand;
mod explain;
mod generate;
mod init;
mod ladder;
mod lint;
mod lock;
mod man;
#[cfg(feature = "ops")]
mod migrate;
mod new;
#[cfg(feature = "ops")]
mod ops;
mod rules;
mod schema;
#[cfg(feature = "ops")]
mod sweep;

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Init(init::Args),
    New(Box<new::Args>),
    Lint(lint::Args),
    Explain(explain::Args),
    Rules(rules::Args),
    Ladder(ladder::Args),
    Lock(lock::Args),
    Schema(schema::Args),
    Generate(generate::Args),
    #[cfg(feature = "ops")]
    Drill(drill::Args),
    Expand(expand::Args),
    #[cfg(feature = "ops")]
    Migrate(migrate::Args),
    #[cfg(feature = "ops")]
    Ops(ops::Args),
    #[cfg(feature = "ops")]
    Sweep(sweep::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Does it.
pub(crate) fn run(command: Command, console: &mut Console) -> Result<Exit, Problems> {
    match command {
        Command::Init(args) => init::run(&args, console),
        Command::New(args) => new::run(*args, console),
        Command::Lint(args) => lint::run(&args, console),
        Command::Explain(args) => explain::run(&args, console),
        Command::Rules(args) => rules::run(&args, console),
        Command::Ladder(args) => ladder::run(&args, console),
        Command::Schema(args) => schema::run(&args, console),
        Command::Generate(args) => generate::run(&args, console),
        Command::Expand(args) => expand::run(&args, console),
        #[cfg(feature = "ops")]
        Command::Migrate(args) => migrate::run(&args, console),
        #[cfg(feature = "ops")]
        Command::Ops(args) => ops::run(&args, console),
        #[cfg(feature = "ops")]
        Command::Sweep(args) => sweep::run(&args, console),
        Command::Lock(args) => lock::run(&args, console),
        #[cfg(feature = "ops")]
        Command::Drill(args) => drill::run(&args, console),
        Command::Completions(args) => completions::run(&args, console),
        Command::Man(args) => man::run(&args, console),
    }
}
