//! The databases that idem keeps its tables in.

use idem_codegen::render;
use idem_templates::sql::{self, Migration};

use crate::console::Console;
use crate::discover::Discovery;
use crate::problem::{Problem, Problems};
use crate::suggest::nearest;

/// A database, as its SQL files see it.
#[derive(Debug)]
pub(crate) struct Database {
    /// What a handler for it looks like; its name is the one on the command line and in `idem.toml`.
    pub(crate) kind: render::Database,
    migrations: &'static [Migration],
    /// Creates the list of applied migrations.
    list: &'static str,
    /// Adds to that list; the parameters are the number and the name.
    applied: &'static str,
    parameters: [&'static str; 2],
}

/// Every database.
pub(crate) static ALL: &[Database] = &[
    Database {
        kind: render::Database::Sqlite,
        migrations: sql::sqlite::MIGRATIONS,
        list: sql::sqlite::MIGRATIONS_TABLE,
        applied: sql::sqlite::MIGRATION_APPLIED,
        parameters: ["?1", "?2"],
    },
    Database {
        kind: render::Database::Postgres,
        migrations: sql::postgres::MIGRATIONS,
        list: sql::postgres::MIGRATIONS_TABLE,
        applied: sql::postgres::MIGRATION_APPLIED,
        parameters: ["$1", "$2"],
    },
    Database {
        kind: render::Database::Mysql,
        migrations: sql::mysql::MIGRATIONS,
        list: sql::mysql::MIGRATIONS_TABLE,
        applied: sql::mysql::MIGRATION_DONE,
        parameters: ["?/*1*/", "?/*2*/"],
    },
];

fn names() -> Vec<&'static str> {
    ALL.iter().map(|database| database.kind.name()).collect()
}

/// The database of that name.
pub(crate) fn find(name: &str) -> Result<&'static Database, Problem> {
    ALL.iter()
        .find(|database| database.kind.name() == name)
        .ok_or_else(|| {
            let problem = Problem::new(format!("there is no database `{name}`"));
            match nearest(name, names()) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem.help(format!("there are {}", names().join(", "))),
            }
        })
}

/// The database that an option names, else the one under `[sql]` of `idem.toml`. `otherwise` is
/// what else would say it.
pub(crate) fn choose(
    named: Option<&str>,
    otherwise: &str,
    console: &Console,
) -> Result<&'static Database, Problems> {
    let config = Discovery::new(&console.cwd).config_here()?;
    let configured = config
        .as_ref()
        .and_then(|config| config.sql.database.as_deref());
    let name = named.or(configured).ok_or_else(|| {
        Problem::new("for which database?").help(format!(
            "write {otherwise}--database {}, or `database` under [sql] in idem.toml",
            names().join(" or --database "),
        ))
    })?;
    Ok(find(name)?)
}

impl Database {
    /// Each migration as a file: its name, and a text that applies it and says that it is applied,
    /// so that `idem migrate` and a migration tool can take turns.
    pub(crate) fn files(&self) -> Vec<(String, String)> {
        self.migrations
            .iter()
            .map(|migration| {
                let [number, name] = self.parameters;
                let applied = self
                    .applied
                    .replace(number, &migration.number.to_string())
                    .replace(name, &format!("'{}'", migration.name));
                let text = format!(
                    "-- Written by `idem generate sql --database {}`.\n\n{}\n{};\n\n{applied};\n",
                    self.kind.name(),
                    migration.sql,
                    self.list,
                );
                (format!("{}.sql", migration.file_stem()), text)
            })
            .collect()
    }
}
