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
        3 "operation_effects" = "0003_operation_effects";
        4 "dead_letters" = "0004_dead_letters";
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
        /// Reads whether a moment has not come yet.
        IS_BEFORE = "is_before";
        /// Begins a transaction that can be rolled back.
        BEGIN_AGAIN = "begin_again";
        /// Undoes what a handler wrote, and stays the writer.
        ROLL_BACK_AND_HOLD = "roll_back_and_hold";
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
        /// Says on an operation's row that an effect begins.
        EFFECT_BEGIN = "effect_begin";
        /// Writes the row of an effect that begins.
        EFFECT_INSERT = "effect_insert";
        /// Says on an operation's row that an effect is not open any more.
        EFFECT_END = "effect_end";
        /// Records an effect's result.
        EFFECT_RECORD = "effect_record";
        /// Takes an effect back that did not happen.
        EFFECT_CLEAR = "effect_clear";
        /// Reads an operation's effects.
        EFFECT_READ = "effect_read";
        /// Reads whether a key's case has its dead letter.
        DESK_NOTED = "desk_noted";
        /// Writes a dead letter.
        DESK_NOTE = "desk_note";
        /// Marks operations as ambiguous whose owner is gone in the middle of an effect.
        DESK_PROMOTE = "desk_promote";
        /// Reads cases without a dead letter.
        DESK_UNNOTED = "desk_unnoted";
        /// Reads operations.
        DESK_LIST = "desk_list";
        /// Reads operations that wait for a person.
        DESK_LIST_DEAD = "desk_list_dead";
        /// Reads a key's dead letters.
        DESK_LETTERS = "desk_letters";
        /// Reads who changed a key by hand.
        DESK_SETTLEMENTS = "desk_settlements";
        /// Settles an operation as done or failed.
        DESK_RESOLVE = "desk_resolve";
        /// Grants one more attempt.
        DESK_RETRY = "desk_retry";
        /// Ends an operation's window.
        DESK_FORGET = "desk_forget";
        /// Closes a key's dead letters.
        DESK_SETTLE_LETTERS = "desk_settle_letters";
        /// Writes down who changed a key by hand.
        DESK_AUDIT = "desk_audit";
    }
}

/// Postgres, 13 or later.
pub mod postgres {
    migrations! { "postgres":
        1 "processed_operations" = "0001_processed_operations";
        2 "expiry_index" = "0002_expiry_index";
        3 "operation_effects" = "0003_operation_effects";
        4 "dead_letters" = "0004_dead_letters";
    }

    statements! { "postgres":
        /// Lets one process migrate at a time.
        MIGRATIONS_LOCK = "migrations_lock";
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
        /// Begins a fused claim's transaction and tries to lock its key.
        BEGIN_FUSED = "begin_fused";
        /// Begins the handler's transaction under a lease.
        BEGIN_LEASED = "begin_leased";
        /// Reads whether an overlap lasts, and tries the previous key's lock.
        TRY_PREVIOUS = "try_previous";
        /// Reads whether the transaction is still the one that was begun.
        IS_OURS = "is_ours";
        /// Undoes a fused attempt and keeps the lock of its key.
        ROLL_BACK_AND_HOLD = "roll_back_and_hold";
        /// Reads whether the lock is ours, and the row of the key.
        READ_FUSED = "read_fused";
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
        /// Says durably that an effect begins.
        EFFECT_BEGIN = "effect_begin";
        /// Records an effect's result.
        EFFECT_RECORD = "effect_record";
        /// Takes an effect back that did not happen.
        EFFECT_CLEAR = "effect_clear";
        /// Reads an operation's effects.
        EFFECT_READ = "effect_read";
        /// Reads whether a key's case has its dead letter.
        DESK_NOTED = "desk_noted";
        /// Writes a dead letter.
        DESK_NOTE = "desk_note";
        /// Marks operations as ambiguous whose owner is gone in the middle of an effect.
        DESK_PROMOTE = "desk_promote";
        /// Reads cases without a dead letter.
        DESK_UNNOTED = "desk_unnoted";
        /// Reads operations.
        DESK_LIST = "desk_list";
        /// Reads operations that wait for a person.
        DESK_LIST_DEAD = "desk_list_dead";
        /// Reads a key's dead letters.
        DESK_LETTERS = "desk_letters";
        /// Reads who changed a key by hand.
        DESK_SETTLEMENTS = "desk_settlements";
        /// Settles an operation as done or failed.
        DESK_RESOLVE = "desk_resolve";
        /// Grants one more attempt.
        DESK_RETRY = "desk_retry";
        /// Ends an operation's window.
        DESK_FORGET = "desk_forget";
        /// Closes a key's dead letters.
        DESK_SETTLE_LETTERS = "desk_settle_letters";
        /// Writes down who changed a key by hand.
        DESK_AUDIT = "desk_audit";
    }

    /// [`BEGIN_FUSED`] for the key of that lock number.
    #[must_use]
    pub fn begin_fused(lock: i64) -> String {
        with_lock(BEGIN_FUSED, lock)
    }

    /// [`ROLL_BACK_AND_HOLD`] for the key of that lock number.
    #[must_use]
    pub fn roll_back_and_hold(lock: i64) -> String {
        with_lock(ROLL_BACK_AND_HOLD, lock)
    }

    /// Puts the number in place of what stands between the marks: every second part.
    fn with_lock(text: &str, lock: i64) -> String {
        let lock = lock.to_string();
        let parts = text.split("/*lock*/").enumerate();
        parts
            .map(|(at, part)| if at % 2 == 1 { lock.as_str() } else { part })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::{Migration, postgres, sqlite};

    fn files(folder: &str) -> BTreeSet<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("sql")
            .join(folder);
        std::fs::read_dir(&path)
            .expect("the folder is there")
            .filter_map(|entry| {
                entry
                    .expect("it can be listed")
                    .file_name()
                    .into_string()
                    .ok()
            })
            .filter_map(|name| name.strip_suffix(".sql").map(str::to_owned))
            .collect()
    }

    #[test]
    fn every_statement_file_is_a_constant() {
        for (folder, all) in [("sqlite", sqlite::ALL), ("postgres", postgres::ALL)] {
            let listed: BTreeSet<String> = all.iter().map(|(name, _)| (*name).to_owned()).collect();
            assert_eq!(files(folder), listed, "{folder}");
        }
    }

    #[test]
    fn every_migration_file_is_in_the_list_and_numbered_without_gaps() {
        for (folder, all) in [
            ("sqlite/migrations", sqlite::MIGRATIONS),
            ("postgres/migrations", postgres::MIGRATIONS),
        ] {
            let listed: BTreeSet<String> = all.iter().map(Migration::file_stem).collect();
            assert_eq!(files(folder), listed, "{folder}");
            let numbers: Vec<u32> = all.iter().map(|migration| migration.number).collect();
            assert!(
                numbers.iter().copied().eq(1..=numbers.len() as u32),
                "{numbers:?}"
            );
        }
    }

    #[test]
    fn every_file_opens_with_what_it_is_for_and_says_what_zero_rows_mean() {
        for (folder, all) in [("sqlite", sqlite::ALL), ("postgres", postgres::ALL)] {
            for (name, statement) in all {
                let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                    .join("sql")
                    .join(folder);
                let text =
                    std::fs::read_to_string(path.join(format!("{name}.sql"))).expect("it reads");
                assert!(text.starts_with("-- "), "{folder}/{name}");
                assert!(!statement.starts_with("--"), "{folder}/{name}");
                assert!(text.contains(statement), "{folder}/{name}");
                let tells = !statement.contains("processed_operations")
                    || text.contains("Zero rows:")
                    || text.contains("Always returns one row.");
                assert!(tells, "{folder}/{name} does not say what zero rows mean");
            }
        }
    }

    #[test]
    fn a_lock_number_takes_the_place_between_the_marks() {
        let begin = postgres::begin_fused(i64::MIN);
        assert!(begin.starts_with("begin;"), "{begin}");
        assert!(begin.contains("(-9223372036854775808)::bigint"), "{begin}");
        assert!(!begin.contains("/*"), "{begin}");
    }
}
