//! The SQL and text that the runtime runs and the generator writes, as data.

pub mod contract;
pub mod drill;
pub mod rust;
pub mod sql;
pub mod text;
