//! What the drill of `idem-workflow` needs to know of this crate. Begun by `idem generate drill`; it is
//! yours now.

use idem::MysqlStore;
use idem::drill::{Seen, Trouble, rows};

use idem_handler_path::{IdemWorkflow, idem_workflow};

/// The store whose transactions the handler takes.
pub(super) type Store = MysqlStore;

/// Creates the tables that the handler writes; idem's own are there already.
const TABLES: &str = "create table idem_table (idem_column text);";

/// The tables that show what happened.
const WRITTEN: &[&str] = &["idem_table"];

/// Columns that may differ although the same happened: times, generated numbers.
const INCIDENTAL: &[&str] = &[];

/// Where to drill: on this server, in scratch databases.
pub(super) fn url() -> Option<String> {
    std::env::var("IDEM_DRILL_URL").ok()
}

/// Makes an empty database ready for the handler.
pub(super) async fn prepare(store: &Store) -> Result<(), Trouble> {
    sqlx::raw_sql(TABLES).execute(store.pool()).await?;
    Ok(())
}

/// Delivers one event, rebuilt from its bytes as an edge would.
pub(super) async fn deliver(store: &Store, event: &[u8]) -> Seen {
    match serde_json::from_slice::<IdemWorkflow>(event) {
        Ok(event) => Seen::of(&idem_workflow(store, &event).await),
        Err(error) => Seen::unreadable(&error),
    }
}

/// What the business tables hold.
pub(super) async fn state(store: &Store) -> Result<String, Trouble> {
    let mut state = String::new();
    for table in WRITTEN {
        state.push_str(&rows(store, table, INCIDENTAL).await?);
        state.push('\n');
    }
    Ok(state)
}
