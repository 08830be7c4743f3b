//! The way to a store: where it is, and what is said when it cannot be reached.

use std::error::Error as StdError;
use std::path::{Path, PathBuf};
use std::time::Duration;

use idem::{MysqlStore, PostgresStore, SqliteStore, StoreError};
use sqlx::ConnectOptions as _;
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use tokio::runtime::{Builder, Runtime};

use crate::paths;
use crate::problem::Problem;
use crate::suggest::nearest;

/// How long a server may take to answer at all before it counts as down.
const PATIENCE: Duration = Duration::from_secs(10);

/// Which store.
#[derive(Debug, clap::Args)]
pub(crate) struct StoreArgs {
    /// sqlite:shop.db, postgres://user@host/database or mysql://user@host/database; without it, IDEM_URL, else DATABASE_URL
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
}

/// Where a store is.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// A file.
    Sqlite(PathBuf),
    /// A server of Postgres.
    Postgres(String),
    /// A server of MariaDB or MySQL.
    Mysql(String),
}

impl StoreArgs {
    /// The URL that was said, in the option or in the environment.
    pub(crate) fn said(&self) -> Option<String> {
        let from = |name| std::env::var(name).ok().filter(|url| !url.is_empty());
        self.url
            .clone()
            .or_else(|| from("IDEM_URL"))
            .or_else(|| from("DATABASE_URL"))
    }

    /// The place of the store.
    pub(crate) fn place(&self, cwd: &Path) -> Result<Place, Problem> {
        let url = self.said().ok_or_else(|| {
            Problem::new("which store?")
                .help("write --url sqlite:shop.db, --url postgres://user@host/database or --url mysql://user@host/database, or set IDEM_URL")
        })?;
        Place::parse(&url, cwd)
    }
}

impl Place {
    /// Reads a URL.
    pub(crate) fn parse(url: &str, cwd: &Path) -> Result<Self, Problem> {
        let Some((scheme, rest)) = url.split_once(':') else {
            return Err(
                Problem::new(format!("`{}` is no URL of a store", redacted(url)))
                    .help(format!("for a file, write sqlite:{url}")),
            );
        };
        match scheme {
            "sqlite" => sqlite(rest, cwd),
            "postgres" | "postgresql" => Ok(Self::Postgres(url.to_owned())),
            "mysql" | "mariadb" => Ok(Self::Mysql(url.to_owned())),
            other => {
                let problem = Problem::new(format!("no store goes by `{other}:`"));
                Err(match nearest(other, ["sqlite", "postgres", "mysql"]) {
                    Some(near) => problem.help(format!("did you mean `{near}:`?")),
                    None => problem.help("there are sqlite:, postgres: and mysql:"),
                })
            }
        }
    }

    /// The place as it is shown: without a password.
    pub(crate) fn shown(&self, cwd: &Path) -> String {
        match self {
            Self::Sqlite(path) => format!("sqlite:{}", paths::shown(cwd, path)),
            Self::Postgres(url) | Self::Mysql(url) => redacted(url),
        }
    }
}

fn sqlite(rest: &str, cwd: &Path) -> Result<Place, Problem> {
    let path = rest.strip_prefix("//").unwrap_or(rest);
    let (path, parameters) = path.split_once('?').unwrap_or((path, ""));
    for parameter in parameters
        .split('&')
        .filter(|parameter| !parameter.is_empty())
    {
        if !matches!(parameter, "mode=rwc" | "mode=rw") {
            return Err(Problem::new(format!("`{parameter}` means nothing here"))
                .help("write the file alone: sqlite:shop.db"));
        }
    }
    if path.is_empty() || path.contains(":memory:") {
        return Err(
            Problem::new("a database in memory is gone when this command ends")
                .help("name a file: sqlite:shop.db"),
        );
    }
    Ok(Place::Sqlite(paths::absolute(cwd, Path::new(path))))
}

/// `url` with its password left out.
fn redacted(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    match rest.split_once('@') {
        Some((user, host)) if user.contains(':') => {
            let user = user.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}:…@{host}")
        }
        Some(_) | None => url.to_owned(),
    }
}

/// Opens the database file; `create` makes one where there is none.
///
/// Whoever opens it closes its pool: a pool that is only dropped leaves `-wal` and `-shm` behind, and
/// a copy of the database file alone then lacks what was just written.
pub(crate) async fn open_sqlite(
    path: &Path,
    shown: &str,
    create: bool,
) -> Result<SqliteStore, Problem> {
    if !create && !path.exists() {
        return Err(Problem::new(format!("there is no database `{shown}`"))
            .help(format!("`idem migrate --url {shown}` makes one")));
    }
    SqliteStore::open(path)
        .await
        .map_err(|error| store_problem(&format!("cannot open `{shown}`"), &error))
}

/// Connects to a server.
///
/// One connection is tried alone first: a pool goes on trying where a server refuses, and says at
/// the end only that it took too long.
macro_rules! connect {
    ($url:expr, $shown:expr, $options:ty, $pool:ty) => {{
        let refused = |error: &dyn StdError| {
            Problem::new(format!("cannot reach `{}`", $shown))
                .why(causes(error))
                .help("is the server running, and may this user connect to this database?")
        };
        let options: $options = $url.parse().map_err(|error: sqlx::Error| refused(&error))?;
        let first = tokio::time::timeout(PATIENCE, options.connect()).await;
        match first {
            Ok(Ok(connection)) => drop(connection),
            Ok(Err(error)) => return Err(refused(&error)),
            Err(error) => return Err(refused(&error)),
        }
        <$pool>::new()
            .max_connections(2)
            .acquire_timeout(PATIENCE)
            .connect_with(options)
            .await
            .map_err(|error| refused(&error))?
    }};
}

/// Connects to a server of Postgres.
pub(crate) async fn open_postgres(url: &str, shown: &str) -> Result<PostgresStore, Problem> {
    let pool = connect!(url, shown, PgConnectOptions, PgPoolOptions);
    Ok(PostgresStore::new(pool))
}

/// Connects to a server of MariaDB or MySQL.
pub(crate) async fn open_mysql(url: &str, shown: &str) -> Result<MysqlStore, Problem> {
    let pool = connect!(url, shown, MySqlConnectOptions, MySqlPoolOptions);
    Ok(MysqlStore::new(pool))
}

/// A store's error as a problem of the run.
pub(crate) fn store_problem(what: &str, error: &StoreError) -> Problem {
    Problem::new(what).why(causes(error))
}

/// An error and its causes in one line.
fn causes(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        // A driver's error may repeat its own cause.
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        next = cause.source();
    }
    text
}

/// What futures run on.
pub(crate) fn runtime() -> Result<Runtime, Problem> {
    Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Problem::new("cannot wait for a store").why(error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Place;

    fn shown(url: &str) -> String {
        let cwd = Path::new("/srv/shop");
        Place::parse(url, cwd).map_or_else(
            |problem| problem.render(&annotate_snippets::Renderer::plain()),
            |place| place.shown(cwd),
        )
    }

    #[test]
    fn a_url_names_a_file_or_a_server_and_never_shows_a_password() {
        assert_eq!(shown("sqlite:shop.db"), "sqlite:shop.db");
        assert_eq!(shown("sqlite://shop.db?mode=rwc"), "sqlite:shop.db");
        assert_eq!(shown("sqlite:///srv/shop/shop.db"), "sqlite:shop.db");
        assert_eq!(
            shown("postgres://shop:secret@db.example/shop"),
            "postgres://shop:…@db.example/shop"
        );
        assert_eq!(
            shown("mysql://shop:secret@db.example/shop"),
            "mysql://shop:…@db.example/shop"
        );
    }

    #[test]
    fn a_url_that_leads_nowhere_is_told_what_to_write() {
        assert!(shown("shop.db").contains("write sqlite:shop.db"));
        assert!(shown("sqlit:shop.db").contains("did you mean `sqlite:`?"));
        assert!(shown("oracle://x").contains("there are sqlite:, postgres: and mysql:"));
        assert!(shown("sqlite::memory:").contains("name a file"));
    }
}
