//! `idem completions`.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::Exit;
use crate::args::Cli;
use crate::console::Console;
use crate::problem::Problems;

/// Prints a shell's completion script
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    // The generator panics on a stream that fails, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "idem", &mut script);
    console.out.write_all(&script)?;
    Ok(Exit::Fine)
}
