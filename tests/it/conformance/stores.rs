//! Each store's harness.

mod memory;
mod mysql;
mod postgres;
mod sqlite;

pub(crate) use self::memory::Memory;
pub(crate) use self::mysql::Mysql;
pub(crate) use self::postgres::Postgres;
pub(crate) use self::sqlite::Sqlite;
