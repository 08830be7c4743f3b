//! `idem generate`: files from contracts and templates. A target is one file here, a `mod` line, a
//! variant and an arm.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::Subcommand;

use crate::Exit;
use crate::console::Console;
use crate::paths;
use crate::problem::{Problem, Problems};

pub(in crate::commands) mod sql;

/// Writes files from contracts and templates
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    target: Target,
}

#[derive(Debug, Subcommand)]
enum Target {
    Sql(sql::Args),
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    match &args.target {
        Target::Sql(args) => sql::run(args, console),
    }
}

/// A file as it should be.
#[derive(Debug)]
pub(super) struct Generated {
    /// Absolute.
    pub(super) path: PathBuf,
    /// The whole text.
    pub(super) text: String,
}

/// Writes what is not there or not current; with `check` only says so, and fails.
pub(super) fn settle(
    files: &[Generated],
    check: bool,
    console: &mut Console,
) -> Result<Exit, Problems> {
    let mut problems = Problems::default();
    let mut stale = false;
    for file in files {
        let shown = paths::shown(&console.cwd, &file.path);
        let found = match fs::read(&file.path) {
            Ok(found) => Some(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                let problem = Problem::new(format!("cannot read `{shown}`"));
                problems.push(problem.why(error.to_string()));
                continue;
            }
        };
        let is_current = found
            .as_ref()
            .is_some_and(|found| *found == file.text.as_bytes());
        if is_current {
            if !check {
                writeln!(console.out, "kept {shown}")?;
            }
        } else if check {
            stale = true;
            let what = if found.is_some() {
                "is not current"
            } else {
                "is missing"
            };
            writeln!(
                console.out,
                "{shown} {what}: run `idem generate` without --check"
            )?;
        } else {
            match paths::replace(&file.path, file.text.as_bytes()) {
                Ok(()) => writeln!(console.out, "wrote {shown}")?,
                Err(error) => {
                    let problem = Problem::new(format!("cannot write `{shown}`"));
                    problems.push(problem.why(error.to_string()));
                }
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(if stale { Exit::Findings } else { Exit::Fine })
}
