//! The command line.

use clap::{Parser, ValueEnum};

use crate::commands::Command;

/// Idempotency contracts for handlers, webhooks, consumers and jobs: written first, linted, proven.
#[derive(Debug, Parser)]
#[command(
    name = "idem",
    version,
    arg_required_else_help = true,
    max_term_width = 100
)]
#[command(
    after_help = "Exit status: 0 nothing that fails; 1 findings that fail; 2 could not run; 3 nothing to lint."
)]
pub struct Cli {
    /// When to colour; `auto` asks the terminal, NO_COLOR and CLICOLOR_FORCE
    #[arg(long, value_enum, default_value_t, global = true, value_name = "WHEN")]
    pub color: When,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// As the terminal and the environment say
    #[default]
    Auto,
    /// In any case
    Always,
    /// Not at all
    Never,
}
