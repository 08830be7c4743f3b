//! Rust files that are begun or written for a project. Each is valid Rust as it stands; the names
//! that begin with `idem_`, `idem-` or `IdemWorkflow` are replaced.

/// The tests of a drill.
pub const DRILL: &str = include_str!("../rust/drill.rs");

/// What they need to know of a crate whose handler takes SQLite's transactions.
pub const DRILL_SETUP_SQLITE: &str = include_str!("../rust/drill_setup_sqlite.rs");

/// The same for Postgres.
pub const DRILL_SETUP_POSTGRES: &str = include_str!("../rust/drill_setup_postgres.rs");

/// The same for MariaDB and MySQL.
pub const DRILL_SETUP_MYSQL: &str = include_str!("../rust/drill_setup_mysql.rs");

/// The statement that creates a table of a handler's, heading included.
pub const HANDLER_TABLE: &str = include_str!("../sql/begun/table.sql");

/// The statement of a handler's effect, heading included.
pub const HANDLER_INSERT: &str = include_str!("../sql/begun/insert.sql");
