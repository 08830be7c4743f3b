//! `idem migrate`: the store's tables, made or upgraded.

use idem::Store;

use crate::Exit;
use crate::console::Console;
use crate::database;
use crate::ops::{
    Place, StoreArgs, open_mysql, open_postgres, open_sqlite, runtime, store_problem,
};
use crate::problem::{Problem, Problems};

/// Creates or upgrades the store's tables
///
/// Safe to run at every start, and from several processes at once. What `idem generate sql` writes
/// counts as applied where a migration tool has applied it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreArgs,
    /// Only print the SQL that would be applied; without a URL, all of it
    #[arg(long)]
    print: bool,
    /// With --print and no URL: sqlite, postgres or mysql; without it, `database` under [sql] in idem.toml
    #[arg(long, value_name = "DATABASE", requires = "print")]
    database: Option<String>,
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    if args.print {
        return print(args, console);
    }
    let place = args.store.place(&console.cwd)?;
    let shown = place.shown(&console.cwd);
    let applied = runtime()?.block_on(async {
        match &place {
            Place::Sqlite(path) => {
                let store = open_sqlite(path, &shown, true).await?;
                let applied = migrate(&store, &shown).await;
                store.pool().close().await;
                applied
            }
            Place::Postgres(url) => migrate(&open_postgres(url, &shown).await?, &shown).await,
            Place::Mysql(url) => migrate(&open_mysql(url, &shown).await?, &shown).await,
        }
    })?;
    let files = database_of(&place)?.files();
    for (name, _) in applied
        .iter()
        .filter_map(|number| files.get(usize::try_from(*number).ok()?.checked_sub(1)?))
    {
        writeln!(console.out, "applied {}", name.trim_end_matches(".sql"))?;
    }
    if applied.is_empty() {
        writeln!(console.out, "nothing to do: the tables are current")?;
    }
    Ok(Exit::Fine)
}

async fn migrate<S: Store>(store: &S, shown: &str) -> Result<Vec<u32>, Problem> {
    let what = format!("cannot migrate `{shown}`");
    let applied = match store.migrate().await {
        Ok(applied) => applied,
        // A table that is in the way is told better by the check than by the statement that failed.
        Err(error) => {
            return Err(match store.check().await {
                Err(found) if found.kind() == idem::StoreErrorKind::Permanent => {
                    store_problem(&what, &found)
                }
                Err(_) | Ok(()) => store_problem(&what, &error),
            });
        }
    };
    match store.check().await {
        Ok(()) => Ok(applied),
        Err(error) => Err(store_problem(&what, &error)),
    }
}

fn database_of(place: &Place) -> Result<&'static database::Database, Problem> {
    database::find(match place {
        Place::Sqlite(_) => "sqlite",
        Place::Postgres(_) => "postgres",
        Place::Mysql(_) => "mysql",
    })
}

fn print(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    let said = args.store.said().filter(|_| args.database.is_none());
    let (database, newest) = if said.is_some() {
        let place = args.store.place(&console.cwd)?;
        let shown = place.shown(&console.cwd);
        let newest = runtime()?.block_on(newest(&place, &shown))?;
        (database_of(&place)?, newest)
    } else {
        let named = args.database.as_deref();
        (database::choose(named, "--url, ", console)?, 0)
    };
    let files = database.files();
    let missing = files.get(newest..).unwrap_or_default();
    for (_, text) in missing {
        write!(console.out, "{text}")?;
    }
    if missing.is_empty() {
        writeln!(console.out, "-- nothing to do: the tables are current")?;
    }
    Ok(Exit::Fine)
}

/// How many migrations are applied; none where there is no file or no list of them.
async fn newest(place: &Place, shown: &str) -> Result<usize, Problem> {
    macro_rules! ask {
        ($pool:expr, $sql:ident) => {{
            let names: Vec<String> = sqlx::query_scalar(idem_templates::sql::$sql::TABLES)
                .fetch_all($pool)
                .await?;
            if names.iter().any(|name| name == "idem_migrations") {
                sqlx::query_scalar::<_, Option<i64>>(idem_templates::sql::$sql::MIGRATION_LATEST)
                    .fetch_one($pool)
                    .await
            } else {
                Ok(None)
            }
        }};
    }
    let found: Result<Option<i64>, sqlx::Error> = match place {
        Place::Sqlite(path) if !path.exists() => return Ok(0),
        Place::Sqlite(path) => {
            let store = open_sqlite(path, shown, false).await?;
            let found = async { ask!(store.pool(), sqlite) }.await;
            store.pool().close().await;
            found
        }
        Place::Postgres(url) => {
            let store = open_postgres(url, shown).await?;
            async { ask!(store.pool(), postgres) }.await
        }
        Place::Mysql(url) => {
            let store = open_mysql(url, shown).await?;
            async { ask!(store.pool(), mysql) }.await
        }
    };
    let found = found.map_err(|error| {
        Problem::new(format!("cannot read what is applied to `{shown}`")).why(error.to_string())
    })?;
    Ok(found
        .and_then(|number| usize::try_from(number).ok())
        .unwrap_or(0))
}
