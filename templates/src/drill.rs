//! The SQL of the drill: rows aged by hand, scratch tables, and the hand-written protocols that the
//! drill is tried on. None of it runs in a service.

macro_rules! statements {
    ($folder:literal: $($(#[$doc:meta])* $name:ident = $file:literal;)*) => {
        $(
            $(#[$doc])*
            pub const $name: &str = include_str!(concat!("../sql/", $folder, "/drill/", $file, ".sql"));
        )*
    };
}

/// Embedded SQLite.
pub mod sqlite {
    statements! { "sqlite":
        /// Ends every running lease.
        END_LEASES = "end_leases";
        /// Ends the window of every finished row.
        EXPIRE = "expire";
        /// Turns done rows into failed ones.
        FAIL = "fail";
        /// Reads every row as text.
        RECORDS = "records";
        /// Puts a row under another key.
        RENAME = "rename";
        /// Reads the names of a table's columns.
        COLUMNS_OF = "columns_of";
        /// Reads every row of a table as text.
        ROWS = "rows";
        /// Creates the scratch table of effects.
        EFFECTS_TABLE = "effects_table";
        /// Performs an effect.
        EFFECT = "effect";
        /// Reads the effects performed.
        EFFECTS = "effects";
        /// Creates a hand-written protocol's table.
        TWIN_TABLE = "twin_table";
        /// Reads its key.
        TWIN_READ = "twin_read";
        /// Claims its key.
        TWIN_CLAIM = "twin_claim";
        /// Completes under the fence.
        TWIN_COMPLETE = "twin_complete";
        /// Completes whoever asks.
        TWIN_COMPLETE_UNFENCED = "twin_complete_unfenced";
        /// Writes the key when the work is done.
        TWIN_INSERT_DONE = "twin_insert_done";
        /// Ends its leases.
        TWIN_END_LEASES = "twin_end_leases";
        /// Ends its windows.
        TWIN_EXPIRE = "twin_expire";
        /// Turns its done keys into failed ones.
        TWIN_FAIL = "twin_fail";
        /// Reads its keys as text.
        TWIN_RECORDS = "twin_records";
    }
}

/// Postgres.
pub mod postgres {
    statements! { "postgres":
        /// Ends every running lease.
        END_LEASES = "end_leases";
        /// Ends the window of every finished row.
        EXPIRE = "expire";
        /// Turns done rows into failed ones.
        FAIL = "fail";
        /// Reads every row as text.
        RECORDS = "records";
        /// Puts a row under another key.
        RENAME = "rename";
        /// Reads every row of a table as text.
        ROWS = "rows";
        /// Creates a scratch schema.
        SCHEMA = "schema";
        /// Removes a scratch schema.
        DROP_SCHEMA = "drop_schema";
        /// Creates the scratch table of effects.
        EFFECTS_TABLE = "effects_table";
        /// Performs an effect.
        EFFECT = "effect";
        /// Reads the effects performed.
        EFFECTS = "effects";
        /// Creates a hand-written protocol's table.
        TWIN_TABLE = "twin_table";
        /// Reads its key.
        TWIN_READ = "twin_read";
        /// Claims its key.
        TWIN_CLAIM = "twin_claim";
        /// Completes under the fence.
        TWIN_COMPLETE = "twin_complete";
        /// Completes whoever asks.
        TWIN_COMPLETE_UNFENCED = "twin_complete_unfenced";
        /// Writes the key when the work is done.
        TWIN_INSERT_DONE = "twin_insert_done";
        /// Ends its leases.
        TWIN_END_LEASES = "twin_end_leases";
        /// Ends its windows.
        TWIN_EXPIRE = "twin_expire";
        /// Turns its done keys into failed ones.
        TWIN_FAIL = "twin_fail";
        /// Reads its keys as text.
        TWIN_RECORDS = "twin_records";
    }
}

/// MariaDB and MySQL.
pub mod mysql {
    statements! { "mysql":
        /// Ends every running lease.
        END_LEASES = "end_leases";
        /// Ends the window of every finished row.
        EXPIRE = "expire";
        /// Turns done rows into failed ones.
        FAIL = "fail";
        /// Reads every row as text.
        RECORDS = "records";
        /// Puts a row under another key.
        RENAME = "rename";
        /// Reads the names of a table's columns.
        COLUMNS_OF = "columns_of";
        /// Reads every row of a table as text.
        ROWS = "rows";
        /// Creates a scratch database.
        DATABASE = "database";
        /// Removes a scratch database.
        DROP_DATABASE = "drop_database";
        /// Creates the scratch table of effects.
        EFFECTS_TABLE = "effects_table";
        /// Performs an effect.
        EFFECT = "effect";
        /// Reads the effects performed.
        EFFECTS = "effects";
        /// Creates a hand-written protocol's table.
        TWIN_TABLE = "twin_table";
        /// Reads its key.
        TWIN_READ = "twin_read";
        /// Claims its key.
        TWIN_CLAIM = "twin_claim";
        /// Reads what was claimed.
        TWIN_WON = "twin_won";
        /// Completes under the fence.
        TWIN_COMPLETE = "twin_complete";
        /// Completes whoever asks.
        TWIN_COMPLETE_UNFENCED = "twin_complete_unfenced";
        /// Writes the key when the work is done.
        TWIN_INSERT_DONE = "twin_insert_done";
        /// Ends its leases.
        TWIN_END_LEASES = "twin_end_leases";
        /// Ends its windows.
        TWIN_EXPIRE = "twin_expire";
        /// Turns its done keys into failed ones.
        TWIN_FAIL = "twin_fail";
        /// Reads its keys as text.
        TWIN_RECORDS = "twin_records";
    }
}
