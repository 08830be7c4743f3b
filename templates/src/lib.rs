//! The SQL and text that the runtime runs and the generator writes, as data.

pub mod sql;
