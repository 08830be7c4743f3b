//! Files made from a contract: a handler to begin with, and its drill.
//!
//! What is written is as rustfmt leaves it, so that formatting a project changes nothing that
//! `idem generate --check` looks at.

mod drill;
mod handler;
mod text;

use idem_contract::{Contract, Strategy};

pub use self::drill::{DrillFiles, drill};
pub use self::handler::handler;

/// The databases whose transactions a handler can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Database {
    /// Embedded SQLite.
    Sqlite,
    /// Postgres.
    Postgres,
    /// MariaDB and MySQL.
    Mysql,
}

impl Database {
    /// Every database.
    pub const ALL: [Self; 3] = [Self::Sqlite, Self::Postgres, Self::Mysql];

    /// Its name, as on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
            Self::Mysql => "mysql",
        }
    }
}

/// Why there is no handler to be made of a contract.
///
/// # Errors
///
/// In words that follow the workflow's name.
pub fn can_render(contract: &Contract) -> Result<(), String> {
    let lacks = |what: &str| Err(format!("does not say {what}; `idem lint` says more"));
    if contract.workflow.get().is_none_or(String::is_empty) {
        return lacks("its name");
    }
    if contract.key.fields.get().is_none_or(Vec::is_empty) {
        return lacks("its key");
    }
    match contract.strategy() {
        Strategy::Table => {}
        other @ (Strategy::External | Strategy::Upsert | Strategy::Entity) => {
            return Err(format!(
                "has strategy `{}`, and the handler of another strategy than `table` takes no transaction of idem's",
                other.as_str()
            ));
        }
    }
    if contract.ordering.header.is_some() {
        return Err("has `[ordering]`, which the attribute does not guard yet".to_owned());
    }
    match contract.effects.iter().find(|effect| !effect.is_fusable()) {
        None => Ok(()),
        Some(effect) => Err(format!(
            "has effect `{}` outside its main database, and the handler's form for those is not generated yet",
            effect.label()
        )),
    }
}

/// `refund_order`: the workflow's name as a Rust name of a function or module.
#[must_use]
pub fn function_name(contract: &Contract) -> String {
    text::snake(contract.workflow.get().map_or("workflow", String::as_str))
}
