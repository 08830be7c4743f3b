//! `idem drill`: a contract's promises, tried on a real store with real kills.

use std::path::PathBuf;

use idem::drill::{
    Child, Drill, DrillStore, Report, Trouble, TwinReport, TwinSubject, child_of, reach, twins,
};
use idem::{MysqlStore, PostgresStore, SqliteStore};

use self::output::Drilled;
use super::rules::ListFormat;
use crate::Exit;
use crate::console::Console;
use crate::discover::Discovery;
use crate::engine::{Loaded, load};
use crate::problem::{Problem, Problems};

mod output;
mod subject;

/// Runs the drill: replays, kills, races and mismatches against a real store
///
/// Each contract's key, request hash, mode and limits are tried on synthetic events, with one scratch
/// row for each local effect: no handler is needed, and no table of yours is touched. Processes are
/// killed with SIGKILL at named points. Afterwards the same drills run on protocols that are broken in
/// one place, to show that they can fail. `idem generate drill` writes the same for your handler.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Contracts, or folders to walk. Without any: `contracts` of idem.toml, else `contracts/`
    paths: Vec<PathBuf>,
    /// The server or file to drill on, in scratch schemas, databases or files beside it; without it,
    /// embedded SQLite in the temporary folder
    #[arg(
        long,
        value_name = "URL",
        env = "IDEM_DRILL_URL",
        hide_env_values = true
    )]
    url: Option<String>,
    /// How to write the report
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    /// Leave the broken twins out: they show nothing about a contract, and take as long as one
    #[arg(long)]
    no_twins: bool,
    /// Exit with 0 when there is nothing to drill
    #[arg(long)]
    allow_empty: bool,
    /// What this process is in a drill that started it
    #[arg(long, hide = true, value_name = "ROLE")]
    child: Option<Role>,
}

/// What a child process works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Role {
    Contract,
    Twin,
}

/// What a run takes from a store, whichever it is.
struct Store {
    name: &'static str,
    reach: fn(Option<&str>) -> Result<(), Trouble>,
    drill: fn(&Loaded, Option<&str>) -> Result<Report, String>,
    twins: fn(Option<&str>) -> TwinReport,
    /// Does a child's work and ends the process, when a drill started it.
    child: fn(Role),
}

impl Store {
    const fn of<S: DrillStore>(name: &'static str) -> Self {
        Self {
            name,
            reach: reach::<S>,
            drill: |loaded, url| {
                let subject =
                    subject::of::<S>(&loaded.contract)?.named(loaded.target.path.to_string_lossy());
                let drill = Drill::of(subject).child(child_process(Role::Contract));
                Ok(match url {
                    Some(url) => drill.at(url).run(),
                    None => drill.run(),
                })
            },
            twins: |url| twins::<S>(url, &child_process(Role::Twin)),
            child: |role| match role {
                Role::Contract => child_of(subject::from_file::<S>),
                Role::Twin => child_of(TwinSubject::<S>::named),
            },
        }
    }

    /// The store behind an address.
    fn at(url: Option<&str>) -> Result<Self, Problem> {
        let scheme = url.map(|url| url.split(':').next().unwrap_or_default());
        match scheme {
            None | Some("sqlite") => Ok(Self::of::<SqliteStore>("sqlite")),
            Some("postgres" | "postgresql") => Ok(Self::of::<PostgresStore>("postgres")),
            Some("mysql" | "mariadb") => Ok(Self::of::<MysqlStore>("mysql")),
            Some(other) => Err(
                Problem::new(format!("there is no store for `{other}:` addresses"))
                    .help("write sqlite://path/to/file.db, postgres://user@host/database or mysql://user@host/database"),
            ),
        }
    }
}

fn child_process(role: Role) -> Child {
    let role = match role {
        Role::Contract => "contract",
        Role::Twin => "twin",
    };
    Child::args(["drill", "--child", role])
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    if let Some(role) = args.child {
        let url = idem::drill::child_url();
        (Store::at(url.as_deref())?.child)(role);
        return Err(
            Problem::new("`--child` is what a drill says to the processes it starts")
                .help("leave it out")
                .into(),
        );
    }
    let store = Store::at(args.url.as_deref())?;
    let found = Discovery::new(&console.cwd).find(&args.paths)?;
    let (contracts, problems) = load(found);
    if !contracts.is_empty()
        && let Err(trouble) = (store.reach)(args.url.as_deref())
    {
        return Err(Problem::new(format!("{} cannot be drilled on", store.name))
            .why(trouble.to_string())
            .help("start the server, or name another with --url")
            .into());
    }
    let mut drilled = Vec::with_capacity(contracts.len());
    for loaded in &contracts {
        let one = Drilled::of(loaded, (store.drill)(loaded, args.url.as_deref()));
        if args.format == ListFormat::Human {
            output::human(&one, store.name, console)?;
            // The next one takes seconds: whoever watches reads this one meanwhile.
            console.flush()?;
        }
        drilled.push(one);
    }
    let ran = drilled.iter().any(Drilled::ran);
    let twins = (ran && !args.no_twins).then(|| (store.twins)(args.url.as_deref()));
    match args.format {
        ListFormat::Human => output::human_summary(&drilled, twins.as_ref(), console)?,
        ListFormat::Json => output::json(&drilled, store.name, twins.as_ref(), console)?,
    }
    console.report(&problems);
    let failed = drilled.iter().any(Drilled::failed) || twins.is_some_and(|twins| !twins.passed());
    Ok(if !problems.is_empty() {
        Exit::CouldNotRun
    } else if failed {
        Exit::Findings
    } else if ran || args.allow_empty {
        Exit::Fine
    } else {
        if drilled.is_empty() {
            console.report(&Problem::no_contract("drill").into());
        }
        Exit::Nothing
    })
}
