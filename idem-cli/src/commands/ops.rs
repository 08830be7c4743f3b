//! `idem ops`: looks into the store, and settles what only a person can decide.

mod moment;
mod output;

use std::fs;
use std::time::Duration;

use clap::Subcommand;
use idem::claim::Status;
use idem::desk::{self, Change, Desk, Filter, GivenResult, Settled};
use serde::de::IgnoredAny;

use self::output::Answer;
use super::rules::ListFormat;
use super::sweep::duration;
use crate::Exit;
use crate::console::Console;
use crate::ops::{
    Place, StoreArgs, open_mysql, open_postgres, open_sqlite, runtime, store_problem,
};
use crate::problem::{Problem, Problems};

/// Looks into the store; settles ambiguous and exhausted operations
///
/// Payloads are never shown. Every change is conditional on the row as it was read: when it has changed
/// meanwhile, nothing is done and the exit status is 1.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    act: Act,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// Lists operations; with --dead those that wait for a person, oldest first
    List(List),
    /// Shows one operation, its dead letters, and who settled what and why
    Show(Show),
    /// Says what became of an operation: the work was done, or it was not
    Resolve(Resolve),
    /// Grants a failed or exhausted operation one more attempt
    Retry(Settle),
    /// Makes a key count as absent: the next delivery is new work
    Forget(Settle),
}

#[derive(Debug, clap::Args)]
struct Common {
    #[command(flatten)]
    store: StoreArgs,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
}

#[derive(Debug, clap::Args)]
struct List {
    #[command(flatten)]
    common: Common,
    /// Only what waits for a person
    #[arg(long)]
    dead: bool,
    /// Only this workflow's
    #[arg(long, value_name = "NAME")]
    workflow: Option<String>,
    /// Only what stands there
    #[arg(long, value_enum, value_name = "STATE")]
    state: Option<State>,
    /// Only this tenant's
    #[arg(long, value_name = "TENANT")]
    tenant: Option<String>,
    /// Only what was claimed, or with --dead became known, at least that long ago: 30m, 4h, 2d
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    older_than: Option<Duration>,
    /// At most that many
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
enum State {
    InFlight,
    Done,
    Failed,
    Ambiguous,
}

#[derive(Debug, clap::Args)]
struct Show {
    #[command(flatten)]
    common: Common,
    /// The whole key, as `list` shows it
    key: String,
}

#[derive(Debug, clap::Args)]
struct Settle {
    #[command(flatten)]
    common: Common,
    /// The whole key, as `list` shows it
    key: String,
    /// Why: it is kept beside the change
    #[arg(long, value_name = "TEXT", value_parser = note)]
    note: String,
    /// Who; without it, user@host
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Only when the row still has this fence, as `show` said it
    #[arg(long, value_name = "N")]
    fence: Option<u64>,
}

#[derive(Debug, clap::Args)]
struct Resolve {
    #[command(flatten)]
    settle: Settle,
    /// What became of it
    #[arg(long = "as", value_enum, value_name = "HOW")]
    how: How,
    /// With --as done: a file with the handler's value as JSON, which every replay returns byte for byte;
    /// white space around it is left out. Without it, a replay says only that the work was done
    #[arg(long, value_name = "FILE")]
    result: Option<std::path::PathBuf>,
    /// The version of the result's type
    #[arg(long, value_name = "N", default_value_t = 1, requires = "result")]
    result_version: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum How {
    /// The work was done; every later delivery is told so
    Done,
    /// Nothing was done; the next delivery may try again
    Failed,
}

fn note(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("say why: whoever comes next has nothing else to go by".to_owned());
    }
    Ok(text.to_owned())
}

impl From<State> for Status {
    fn from(state: State) -> Self {
        match state {
            State::InFlight => Self::InFlight,
            State::Done => Self::Done,
            State::Failed => Self::Failed,
            State::Ambiguous => Self::Ambiguous,
        }
    }
}

impl Act {
    const fn common(&self) -> &Common {
        match self {
            Self::List(list) => &list.common,
            Self::Show(show) => &show.common,
            Self::Resolve(resolve) => &resolve.settle.common,
            Self::Retry(settle) | Self::Forget(settle) => &settle.common,
        }
    }
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    let common = args.act.common();
    let place = common.store.place(&console.cwd)?;
    let shown = place.shown(&console.cwd);
    let given = match &args.act {
        Act::Resolve(resolve) => given_result(resolve, console)?,
        Act::List(_) | Act::Show(_) | Act::Retry(_) | Act::Forget(_) => None,
    };
    let answer = runtime()?.block_on(async {
        match &place {
            Place::Sqlite(path) => {
                let store = open_sqlite(path, &shown, false).await?;
                let answer = act(&store, &shown, &args.act, given.as_deref()).await;
                store.pool().close().await;
                answer
            }
            Place::Postgres(url) => {
                let store = open_postgres(url, &shown).await?;
                act(&store, &shown, &args.act, given.as_deref()).await
            }
            Place::Mysql(url) => {
                let store = open_mysql(url, &shown).await?;
                act(&store, &shown, &args.act, given.as_deref()).await
            }
        }
    })?;
    output::write(&answer, common.format, console)?;
    Ok(answer.exit())
}

/// The bytes of `--result`, which must be JSON.
fn given_result(resolve: &Resolve, console: &Console) -> Result<Option<Vec<u8>>, Problem> {
    let Some(file) = &resolve.result else {
        return Ok(None);
    };
    let shown = file.display();
    if resolve.how == How::Failed {
        return Err(Problem::new("what failed has no result")
            .help("leave --result out, or write --as done"));
    }
    let bytes = fs::read(console.cwd.join(file))
        .map_err(|error| Problem::new(format!("cannot read `{shown}`")).why(error.to_string()))?;
    serde_json::from_slice::<IgnoredAny>(&bytes).map_err(|error| {
        Problem::new(format!("`{shown}` is no JSON"))
            .why(format!("line {}, column {}", error.line(), error.column()))
            .help("a replay reads it as the handler's value: write that as JSON")
    })?;
    Ok(Some(bytes.trim_ascii().to_vec()))
}

async fn act<S: Desk>(
    store: &S,
    shown: &str,
    act: &Act,
    given: Option<&[u8]>,
) -> Result<Answer, Problem> {
    let what = format!("cannot look into `{shown}`");
    let failed = |error| store_problem(&what, &error);
    store.check().await.map_err(failed)?;
    match act {
        Act::List(list) => {
            let entries = store.list(&filter(list)).await.map_err(failed)?;
            Ok(Answer::Listed(entries, list.limit))
        }
        Act::Show(show) => match desk::show(store, &show.key).await.map_err(failed)? {
            Some(file) => Ok(Answer::Shown(file)),
            None => Err(unknown(&show.key)),
        },
        Act::Resolve(resolve) => {
            let change = match resolve.how {
                How::Done => Change::Done(given.map(|bytes| GivenResult {
                    bytes,
                    version: resolve.result_version,
                })),
                How::Failed => Change::Failed,
            };
            settle(store, &what, &resolve.settle, &change).await
        }
        Act::Retry(settled) => settle(store, &what, settled, &Change::Retry).await,
        Act::Forget(settled) => settle(store, &what, settled, &Change::Forget).await,
    }
}

fn filter(list: &List) -> Filter {
    let mut filter = Filter::new().limit(list.limit);
    if list.dead {
        filter = filter.dead();
    }
    if let Some(workflow) = &list.workflow {
        filter = filter.workflow(workflow);
    }
    if let Some(state) = list.state {
        filter = filter.state(state.into());
    }
    if let Some(tenant) = &list.tenant {
        filter = filter.tenant(tenant);
    }
    if let Some(age) = list.older_than {
        filter = filter.older_than(age);
    }
    filter
}

async fn settle<S: Desk>(
    store: &S,
    what: &str,
    args: &Settle,
    change: &Change<'_>,
) -> Result<Answer, Problem> {
    let failed = |error| store_problem(what, &error);
    let found = desk::find(store, &args.key).await.map_err(failed)?;
    let seen = found.ok_or_else(|| unknown(&args.key))?;
    if args.fence.is_some_and(|fence| fence != seen.fence.get()) {
        return Ok(Answer::Settled(
            args.key.clone(),
            Settled::Changed(Some(seen)),
        ));
    }
    let by = args.by.clone().unwrap_or_else(user_at_host);
    let settled = desk::settle(store, &seen, change, &by, &args.note).await;
    Ok(Answer::Settled(args.key.clone(), settled.map_err(failed)?))
}

fn unknown(key: &str) -> Problem {
    Problem::new(format!("there is no operation `{key}`"))
        .help("write the whole key as `idem ops list` shows it: workflow, version and every part")
}

fn user_at_host() -> String {
    let from = |name| std::env::var(name).ok().filter(|text| !text.is_empty());
    let user = from("USER")
        .or_else(|| from("LOGNAME"))
        .or_else(|| from("USERNAME"));
    let host = from("HOSTNAME")
        .or_else(|| from("COMPUTERNAME"))
        .or_else(|| {
            let text = fs::read_to_string("/etc/hostname").ok()?;
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        });
    let unknown = || "unknown".to_owned();
    format!(
        "{}@{}",
        user.unwrap_or_else(unknown),
        host.unwrap_or_else(unknown)
    )
}
