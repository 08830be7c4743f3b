//! `idem generate handler`: a handler to begin with.

use std::path::PathBuf;

use idem_codegen::render::{self, Database};

use super::{Generated, Owner, contracts, database, or_nothing, settle};
use crate::Exit;
use crate::console::Console;
use crate::paths;
use crate::problem::Problems;

/// The folder of Rust sources where nobody says otherwise.
const FOLDER: &str = "src";

/// Begins a handler for each contract: payload, result, error and the attributed function
///
/// One file for each workflow, `<folder>/<workflow>.rs`, to be declared as a module of the crate. A
/// file that is there already is never written over: from then on it is yours.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Contracts, or folders to walk. Without any: `contracts` of idem.toml, else `contracts/`
    paths: Vec<PathBuf>,
    /// Whose transactions it takes: sqlite, postgres or mysql; without it, `database` under [sql] in idem.toml
    #[arg(long, value_name = "DATABASE")]
    database: Option<String>,
    /// Where to write
    #[arg(long, value_name = "FOLDER", default_value = FOLDER)]
    folder: PathBuf,
    /// Write nothing; fail when a file is missing
    #[arg(long)]
    check: bool,
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    let database: Database = database(args.database.as_deref(), console)?;
    let folder = paths::absolute(&console.cwd, &args.folder);
    let contracts = contracts(&args.paths, console)?;
    let files: Vec<_> = contracts
        .iter()
        .map(|contract| Generated {
            path: folder.join(format!("{}.rs", render::function_name(contract))),
            text: render::handler(contract, database),
            owner: Owner::Reader,
        })
        .collect();
    let exit = settle(&files, args.check, console)?;
    Ok(or_nothing(&files, exit))
}
