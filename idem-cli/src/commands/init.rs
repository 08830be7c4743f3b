//! `idem init`: what a project starts with.

use std::fs;
use std::path::{Path, PathBuf};

use idem_contract::schema;
use idem_templates::text;

use super::generate::sql::FOLDER;
use crate::Exit;
use crate::config::{DEFAULT_CONTRACTS, FILE_NAME};
use crate::console::Console;
use crate::database;
use crate::paths;
use crate::problem::{Problem, Problems};

/// The file in which pre-commit looks for hooks.
const PRE_COMMIT: &str = ".pre-commit-config.yaml";

/// Writes idem.toml, contracts/, the pre-commit entry and the first migrations
///
/// What is already there is kept: nothing is ever written over.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where the bookkeeping lives: sqlite, postgres or mysql
    #[arg(long, value_name = "DATABASE", default_value = "sqlite")]
    database: String,
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    let database = database::find(&args.database)?;
    let mut files = vec![
        (
            PathBuf::from(FILE_NAME),
            text::IDEM_TOML.replace("{{ database }}", database.kind.name()),
        ),
        (
            Path::new(DEFAULT_CONTRACTS).join("contract.schema.json"),
            schema(),
        ),
        (PathBuf::from(PRE_COMMIT), text::PRE_COMMIT.to_owned()),
    ];
    for (name, text) in database.files() {
        files.push((Path::new(FOLDER).join(name), text));
    }
    for (path, text) in files {
        let path = console.cwd.join(path);
        let shown = paths::shown(&console.cwd, &path);
        let is_new = paths::create(&path, text.as_bytes()).map_err(|error| {
            Problem::new(format!("cannot write `{shown}`")).why(error.to_string())
        })?;
        let verb = if is_new { "wrote" } else { "kept" };
        writeln!(console.out, "{verb} {shown}")?;
        if !is_new && shown == PRE_COMMIT {
            advise_pre_commit(&path, console)?;
        }
    }
    console.hint("Next: `idem new <workflow>` writes a contract, `idem lint` checks it.")?;
    Ok(Exit::Fine)
}

/// Says what to add to hooks that are already there.
fn advise_pre_commit(path: &Path, console: &mut Console) -> Result<(), Problems> {
    let there = fs::read_to_string(path).unwrap_or_default();
    if there.contains("idem lint") {
        return Ok(());
    }
    writeln!(console.out, "\nAdd this below `repos:` in {PRE_COMMIT}:\n")?;
    for line in text::PRE_COMMIT.lines().skip(1) {
        writeln!(console.out, "{line}")?;
    }
    writeln!(console.out)?;
    Ok(())
}
