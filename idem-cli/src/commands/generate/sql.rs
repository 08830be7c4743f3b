//! `idem generate sql`: the store's tables as migration files.

use std::path::PathBuf;

use super::{Generated, Owner, settle};
use crate::Exit;
use crate::console::Console;
use crate::database;
use crate::discover::Discovery;
use crate::paths;
use crate::problem::Problems;

/// The folder of migrations where nobody says otherwise.
pub(in crate::commands) const FOLDER: &str = "migrations";

/// Writes the migrations of the store's tables, one file each
///
/// For migration tools; `idem migrate` applies the same statements itself. Both record what is applied
/// in the table `idem_migrations`, so that they can take turns.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// sqlite, postgres or mysql; without it, `database` under [sql] in idem.toml
    #[arg(long, value_name = "DATABASE")]
    database: Option<String>,
    /// Where to write; without it, `folder` under [sql] in idem.toml, else `migrations`
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Write nothing; fail when a file is missing or not current
    #[arg(long)]
    check: bool,
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    let config = Discovery::new(&console.cwd).config_here()?;
    let sql = config.as_ref().map(|config| &config.sql);
    let database = database::choose(args.database.as_deref(), "", console)?;
    let folder = match (&args.folder, sql.and_then(|sql| sql.folder.clone())) {
        (Some(folder), _) => paths::absolute(&console.cwd, folder),
        (None, Some(folder)) => folder,
        (None, None) => console.cwd.join(FOLDER),
    };
    let files: Vec<_> = database
        .files()
        .into_iter()
        .map(|(name, text)| Generated {
            path: folder.join(name),
            text,
            owner: Owner::Idem,
        })
        .collect();
    settle(&files, args.check, console)
}
