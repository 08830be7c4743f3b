//! The SQL of every store, each file valid as it stands.
//!
//! A file opens with what the statement decides, its parameters in order with their units, and what
//! zero rows mean. The constants hold the statement alone: a heading need not travel to the server.

/// One step from no tables to the tables of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migration {
    /// Its number, counted from 1 without gaps.
    pub number: u32,
    /// Its name, as its file says it.
    pub name: &'static str,
    /// Its statements, heading included.
    pub sql: &'static str,
}

impl Migration {
    /// `0001_processed_operations`: how its file is called, without the ending.
    #[must_use]
    pub fn file_stem(&self) -> String {
        format!("{:04}_{}", self.number, self.name)
    }
}

/// The statement behind a heading of `--` lines.
const fn body(text: &'static str) -> &'static str {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at + 1 < bytes.len() && bytes[at] == b'-' && bytes[at + 1] == b'-' {
        while at < bytes.len() && bytes[at] != b'\n' {
            at += 1;
        }
        if at < bytes.len() {
            at += 1;
        }
    }
    let mut end = bytes.len();
    while end > at && (bytes[end - 1] == b'\n' || bytes[end - 1] == b';') {
        end -= 1;
    }
    text.split_at(end).0.split_at(at).1
}

macro_rules! statements {
    ($folder:literal: $($(#[$doc:meta])* $name:ident = $file:literal;)*) => {
        $(
            $(#[$doc])*
            pub const $name: &str = super::body(include_str!(concat!("../sql/", $folder, "/", $file, ".sql")));
        )*

        /// Every statement, with the name of its file.
        pub const ALL: &[(&str, &str)] = &[$(($file, $name)),*];
    };
}

macro_rules! migrations {
    ($folder:literal: $($number:literal $name:literal = $file:literal;)*) => {
        /// Every migration, in order.
        pub const MIGRATIONS: &[super::Migration] = &[$(super::Migration {
            number: $number,
            name: $name,
            sql: include_str!(concat!("../sql/", $folder, "/migrations/", $file, ".sql")),
        }),*];
    };
}

/// Embedded SQLite, 3.42 or later.
pub mod sqlite {
    migrations! { "sqlite":
        1 "processed_operations" = "0001_processed_operations";
        2 "expiry_index" = "0002_expiry_index";
    }

    statements! { "sqlite":
        /// Creates the list of applied migrations.
        MIGRATIONS_TABLE = "migrations_table";
        /// Reads the newest applied migration.
        MIGRATION_LATEST = "migration_latest";
        /// Records a migration.
        MIGRATION_APPLIED = "migration_applied";
        /// Reads which tables exist.
        TABLES = "tables";
        /// Reads the table's columns.
        COLUMNS = "columns";
        /// Reads the collation of the unique key.
        UNIQUE_KEY = "unique_key";
        /// Begins a writing transaction.
        BEGIN = "begin";
        /// Reads the row of a key.
        READ = "read";
        /// Decides a leased claim.
        CLAIM = "claim";
        /// Renews a lease.
        RENEW = "renew";
        /// Completes a leased claim.
        COMPLETE = "complete";
        /// Completes a fused claim.
        COMPLETE_FUSED = "complete_fused";
        /// Marks a leased claim failed or ambiguous.
        FAIL = "fail";
        /// Marks a fused claim failed or ambiguous.
        FAIL_FUSED = "fail_fused";
        /// Gives a leased claim back.
        RELEASE = "release";
        /// Deletes a batch of rows past their window.
        SWEEP = "sweep";
    }
}
