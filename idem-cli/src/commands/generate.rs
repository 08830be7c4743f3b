//! `idem generate`: files from contracts and templates. A target is one file here, a `mod` line, a
//! variant and an arm.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::Subcommand;
use idem_codegen::render::{Database, can_render};
use idem_contract::Contract;

use crate::Exit;
use crate::console::Console;
use crate::database;
use crate::discover::Discovery;
use crate::engine::load;
use crate::paths;
use crate::problem::{Problem, Problems};

mod drill;
mod handler;
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
    Handler(handler::Args),
    Drill(drill::Args),
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    match &args.target {
        Target::Sql(args) => sql::run(args, console),
        Target::Handler(args) => handler::run(args, console),
        Target::Drill(args) => drill::run(args, console),
    }
}

/// A file as it should be.
#[derive(Debug)]
pub(super) struct Generated {
    /// Absolute.
    pub(super) path: PathBuf,
    /// The whole text.
    pub(super) text: String,
    /// Who changes it from now on.
    pub(super) owner: Owner,
}

/// Who changes a generated file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Nobody by hand: it is written again when it differs.
    Idem,
    /// Its reader: once there, it is never written over, and whatever it says is current.
    Reader,
}

/// The database of the files to be written.
fn database(named: Option<&str>, console: &Console) -> Result<Database, Problems> {
    Ok(database::choose(named, "", console)?.kind)
}

/// The contracts that Rust can be made of; the others are named with the reason.
fn contracts(paths: &[PathBuf], console: &mut Console) -> Result<Vec<Contract>, Problems> {
    let found = Discovery::new(&console.cwd).find(paths)?;
    let (loaded, problems) = load(found);
    if !problems.is_empty() {
        return Err(problems);
    }
    if loaded.is_empty() {
        console.report(&Problem::no_contract("generate from").into());
    }
    let mut contracts = Vec::with_capacity(loaded.len());
    for one in loaded {
        match can_render(&one.contract) {
            Ok(()) => contracts.push(one.contract),
            Err(why) => writeln!(console.out, "left out {}: it {why}", one.target.shown)?,
        }
    }
    Ok(contracts)
}

/// Nothing was there to be written.
fn or_nothing(files: &[Generated], exit: Exit) -> Exit {
    if files.is_empty() {
        Exit::Nothing
    } else {
        exit
    }
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
            .is_some_and(|found| file.owner == Owner::Reader || *found == file.text.as_bytes());
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
