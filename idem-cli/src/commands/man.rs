//! `idem man`.

use std::fs;
use std::path::PathBuf;

use clap::CommandFactory;
use clap_mangen::Man;

use crate::Exit;
use crate::args::Cli;
use crate::console::Console;
use crate::paths;
use crate::problem::{Problem, Problems};

/// Prints the manual page, or writes one page for each command
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write `idem.1`, `idem-lint.1` and so on into this folder
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    let Some(folder) = &args.output else {
        Man::new(Cli::command()).render(&mut console.out)?;
        return Ok(Exit::Fine);
    };
    let folder = paths::absolute(&console.cwd, folder);
    fs::create_dir_all(&folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), &folder))
        .map_err(|error| {
            Problem::new(format!(
                "cannot write manual pages into `{}`",
                paths::shown(&console.cwd, &folder)
            ))
            .why(error.to_string())
        })?;
    Ok(Exit::Fine)
}
