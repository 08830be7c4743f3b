//! `idem generate drill`: the drill of a handler, as tests of its crate.

use std::fs;
use std::path::{Path, PathBuf};

use idem_codegen::render::{self, Database};
use toml::de::DeTable;

use super::{Generated, Owner, contracts, database, or_nothing, settle};
use crate::Exit;
use crate::console::Console;
use crate::paths;
use crate::problem::{Problem, Problems};

/// The folder of tests where nobody says otherwise.
const FOLDER: &str = "tests";

/// Writes the drill of each contract's handler, as tests of your crate
///
/// Two files for each workflow: `<folder>/<workflow>_drill.rs` follows the contract and is written anew
/// whenever it changes; `<folder>/<workflow>_drill/setup.rs` knows your crate, and once there it is
/// yours. The crate needs idem with the feature `drill`, sqlx and serde_json among its
/// dev-dependencies.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Contracts, or folders to walk. Without any: `contracts` of idem.toml, else `contracts/`
    paths: Vec<PathBuf>,
    /// Whose transactions the handler takes: sqlite, postgres or mysql; without it, `database` under [sql] in
    /// idem.toml
    #[arg(long, value_name = "DATABASE")]
    database: Option<String>,
    /// Where to write
    #[arg(long, value_name = "FOLDER", default_value = FOLDER)]
    folder: PathBuf,
    /// The module that the handler's module is in, such as `refund_service`; without it, the crate that
    /// the folder belongs to
    #[arg(long, value_name = "PATH")]
    handler: Option<String>,
    /// Write nothing; fail when a file is missing or not current
    #[arg(long)]
    check: bool,
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    let database: Database = database(args.database.as_deref(), console)?;
    let folder = paths::absolute(&console.cwd, &args.folder);
    let within = match &args.handler {
        Some(path) => path.clone(),
        None => crate_of(&folder)?,
    };
    let contracts = contracts(&args.paths, console)?;
    let mut files = Vec::with_capacity(contracts.len() * 2);
    for contract in &contracts {
        let name = render::function_name(contract);
        let drill = render::drill(contract, database, &format!("{within}::{name}"));
        files.push(Generated {
            path: folder.join(format!("{name}_drill.rs")),
            text: drill.tests,
            owner: Owner::Idem,
        });
        files.push(Generated {
            path: folder.join(format!("{name}_drill")).join("setup.rs"),
            text: drill.setup,
            owner: Owner::Reader,
        });
    }
    let exit = settle(&files, args.check, console)?;
    Ok(or_nothing(&files, exit))
}

/// The library that the nearest package above a folder builds, by its name in Rust.
fn crate_of(folder: &Path) -> Result<String, Problem> {
    let manifest = folder
        .ancestors()
        .map(|above| above.join("Cargo.toml"))
        .find(|manifest| manifest.is_file());
    let unknown = || {
        Problem::new("which crate is the handler in?")
            .why("there is no package above the folder of tests, or it says no name")
            .help("write --handler with the path of the module that it is in")
    };
    let text = manifest
        .and_then(|manifest| fs::read_to_string(manifest).ok())
        .ok_or_else(unknown)?;
    let (table, _) = DeTable::parse_recoverable(&text);
    let name_in = |section: &str| {
        let section = table.get_ref().get(section)?.get_ref().as_table()?;
        let name = section.get("name")?.get_ref().as_str()?;
        Some(name.replace('-', "_"))
    };
    name_in("lib")
        .or_else(|| name_in("package"))
        .ok_or_else(unknown)
}
