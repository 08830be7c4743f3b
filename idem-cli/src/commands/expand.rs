//! `idem expand`: what the macros write, for reading.

use std::fs;
use std::path::{Path, PathBuf};

use idem_codegen::{Contracts, ExpandError, expand_file};

use crate::Exit;
use crate::console::Console;
use crate::paths;
use crate::problem::{Problem, Problems};

/// Prints what #[idempotent] and the derives write for a source file, formatted
///
/// The text is the same on every machine, so that a test can keep it as a snapshot. What the macros
/// refuse stands in it as `compile_error!`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The source file
    file: PathBuf,
    /// One function only
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    let path = paths::absolute(&console.cwd, &args.file);
    let shown = paths::shown(&console.cwd, &path);
    let source = fs::read_to_string(&path)
        .map_err(|error| Problem::new(format!("cannot read `{shown}`")).why(error.to_string()))?;
    let package = package_of(&path).unwrap_or(&console.cwd);
    let contracts = Contracts::in_dir(package).or_beside(Some(path.clone()));
    let text = expand_file(&source, args.function.as_deref(), &contracts).map_err(|error| {
        if let ExpandError::Syntax {
            line,
            column,
            message,
        } = &error
        {
            return Problem::new(format!("`{shown}` is not Rust: {message}")).at(
                &shown,
                &source,
                place(&source, *line, *column),
            );
        }
        Problem::new(format!("cannot expand `{shown}`")).why(error.to_string())
    })?;
    console.out.write_all(text.as_bytes())?;
    Ok(Exit::Fine)
}

/// The folder of the package that a source file belongs to.
fn package_of(file: &Path) -> Option<&Path> {
    file.ancestors()
        .skip(1)
        .find(|folder| folder.join("Cargo.toml").is_file())
}

/// The byte at a line and a column, both counted from 1, the column in characters.
fn place(source: &str, line: usize, column: usize) -> std::ops::Range<usize> {
    let start: usize = source
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let rest = source.get(start..).unwrap_or_default();
    let at = start
        + rest
            .chars()
            .take(column.saturating_sub(1))
            .map(char::len_utf8)
            .sum::<usize>();
    at..at
}
