//! The SQL of every store, each file valid as it stands.
//!
//! A file opens with what the statement decides, its parameters in order with their units, and what
//! zero rows mean. The constants hold the statement alone: a heading need not travel to the server.

mod numbered;

pub use numbered::Numbered;

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

macro_rules! numbered_statements {
    ($folder:literal: $($(#[$doc:meta])* $name:ident = $file:literal;)*) => {
        $(
            $(#[$doc])*
            pub const $name: super::Numbered = super::Numbered::of(super::body(include_str!(concat!(
                "../sql/", $folder, "/", $file, ".sql"
            ))));
        )*

        /// Every statement whose parameters are numbered, with the name of its file.
        pub const ALL_NUMBERED: &[(&str, &str)] = &[$(($file, $name.sql)),*];
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
        /// Names the effect whose provider may have forgotten its key.
        EFFECT_OVERDUE = "effect_overdue";
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
        /// Names the effect whose provider may have forgotten its key.
        EFFECT_OVERDUE = "effect_overdue";
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

/// MariaDB 10.6 or later, and MySQL 8.0.19 or later.
pub mod mysql {
    migrations! { "mysql":
        1 "processed_operations" = "0001_processed_operations";
        2 "expiry_index" = "0002_expiry_index";
        3 "operation_effects" = "0003_operation_effects";
        4 "dead_letters" = "0004_dead_letters";
    }

    statements! { "mysql":
        /// Creates the list of migrations.
        MIGRATIONS_TABLE = "migrations_table";
        /// Reads the newest applied migration.
        MIGRATION_LATEST = "migration_latest";
        /// Records a migration that a tool has applied.
        MIGRATION_DONE = "migration_done";
        /// Lets the next process migrate.
        MIGRATIONS_UNLOCK = "migrations_unlock";
        /// Reads which tables exist.
        TABLES = "tables";
        /// Reads the table's columns.
        COLUMNS = "columns";
        /// Reads the collation of the unique key.
        UNIQUE_KEY = "unique_key";
        /// Begins a fused claim's transaction and tries to lock its key.
        BEGIN_FUSED = "begin_fused";
        /// Begins a leased claim's transaction.
        BEGIN = "begin";
        /// Shows that the transaction is still the claim's, and reads the clock.
        SEAL = "seal";
        /// Reads the clock.
        CLOCK = "clock";
        /// Commits, and leaves the session as it was before the claim.
        COMMIT = "commit";
        /// Rolls back, and leaves the session as it was before the claim.
        ROLLBACK = "rollback";
        /// Begins a short transaction of the store's own.
        BEGIN_SHORT = "begin_short";
        /// Undoes what a handler wrote, and keeps its key's lock.
        UNDO = "undo";
        /// Lets go of a leased claim's locks.
        LET_GO = "let_go";
    }

    numbered_statements! { "mysql":
        /// Lets one process migrate at a time.
        MIGRATIONS_LOCK = "migrations_lock";
        /// Reads whether a migration was begun.
        MIGRATION_BEGUN = "migration_begun";
        /// Records that a migration is begun.
        MIGRATION_BEGIN = "migration_begin";
        /// Records that a migration is applied.
        MIGRATION_APPLIED = "migration_applied";
        /// Forgets a migration that was refused.
        MIGRATION_FORGET = "migration_forget";
        /// Reads the row of a key.
        READ = "read";
        /// Reads whether the lock is ours, and the row of the key.
        READ_FUSED = "read_fused";
        /// Reads whether an overlap lasts, and tries the previous key's lock.
        TRY_LOCK = "try_lock";
        /// Decides a leased claim of an absent key.
        CLAIM = "claim";
        /// Decides a leased claim of a key that has a row.
        CLAIM_AGAIN = "claim_again";
        /// Renews a lease.
        RENEW = "renew";
        /// Completes a leased claim.
        COMPLETE = "complete";
        /// Completes a fused claim that found no row.
        COMPLETE_FUSED = "complete_fused";
        /// Completes a fused claim that follows a row.
        COMPLETE_FUSED_AGAIN = "complete_fused_again";
        /// Marks a leased claim failed or ambiguous.
        FAIL = "fail";
        /// Marks a fused claim that found no row failed or ambiguous.
        FAIL_FUSED = "fail_fused";
        /// Marks a fused claim that follows a row failed or ambiguous.
        FAIL_FUSED_AGAIN = "fail_fused_again";
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
        /// Writes down who changed a key by hand.
        DESK_AUDIT = "desk_audit";
        /// Ends an operation's window.
        DESK_FORGET = "desk_forget";
        /// Reads a key's dead letters.
        DESK_LETTERS = "desk_letters";
        /// Reads operations.
        DESK_LIST = "desk_list";
        /// Reads operations that wait for a person.
        DESK_LIST_DEAD = "desk_list_dead";
        /// Writes a key's dead letter.
        DESK_NOTE = "desk_note";
        /// Reads whether a case has its dead letter.
        DESK_NOTED = "desk_noted";
        /// Reads the dead letter of a key's case.
        DESK_WRITTEN = "desk_written";
        /// Marks operations as ambiguous whose owner is gone.
        DESK_PROMOTE = "desk_promote";
        /// Does the same for one key.
        DESK_PROMOTE_ONE = "desk_promote_one";
        /// Settles an operation.
        DESK_RESOLVE = "desk_resolve";
        /// Grants an operation one more attempt.
        DESK_RETRY = "desk_retry";
        /// Marks a key's dead letters as settled.
        DESK_SETTLE_LETTERS = "desk_settle_letters";
        /// Reads who changed a key by hand.
        DESK_SETTLEMENTS = "desk_settlements";
        /// Reads cases without a dead letter.
        DESK_UNNOTED = "desk_unnoted";
    }

    /// [`BEGIN_FUSED`] for the key of that digest, in hexadecimal.
    #[must_use]
    pub fn begin_fused(digest: &str) -> String {
        BEGIN_FUSED.replacen("/*key*/", digest, 1)
    }

    /// [`SEAL`], [`CLOCK`], [`COMMIT`] or [`ROLLBACK`], whose answer repeats that number.
    #[must_use]
    pub fn in_turn(statement: &str, turn: u64) -> String {
        statement.replacen("/*turn*/ 0 /*turn*/", &turn.to_string(), 1)
    }
}

#[cfg(test)]
mod tests;
