//! The databases that idem keeps its tables in.

use idem_templates::sql::{self, Migration};

use crate::problem::Problem;
use crate::suggest::nearest;

/// A database, as its SQL files see it.
#[derive(Debug)]
pub(crate) struct Database {
    /// Its name on the command line and in `idem.toml`.
    pub(crate) name: &'static str,
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
        name: "sqlite",
        migrations: sql::sqlite::MIGRATIONS,
        list: sql::sqlite::MIGRATIONS_TABLE,
        applied: sql::sqlite::MIGRATION_APPLIED,
        parameters: ["?1", "?2"],
    },
    Database {
        name: "postgres",
        migrations: sql::postgres::MIGRATIONS,
        list: sql::postgres::MIGRATIONS_TABLE,
        applied: sql::postgres::MIGRATION_APPLIED,
        parameters: ["$1", "$2"],
    },
];

/// Their names.
pub(crate) fn names() -> Vec<&'static str> {
    ALL.iter().map(|database| database.name).collect()
}

/// The database of that name.
pub(crate) fn find(name: &str) -> Result<&'static Database, Problem> {
    ALL.iter()
        .find(|database| database.name == name)
        .ok_or_else(|| {
            let problem = Problem::new(format!("there is no database `{name}`"));
            match nearest(name, names()) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem.help(format!("there are {}", names().join(", "))),
            }
        })
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
                    self.name, migration.sql, self.list,
                );
                (format!("{}.sql", migration.file_stem()), text)
            })
            .collect()
    }
}
