//! What the drill of `refund-order` needs to know of this service.

use idem::SqliteStore;
use idem::drill::{Seen, Trouble, rows};

use refund_service::books::TABLES;
use refund_service::refund::{Pace, Refund, refund_in_sqlite};

/// The store whose transactions the handler takes.
pub(super) type Store = SqliteStore;

/// Where to drill: nowhere in particular is a scratch file in the temporary folder.
pub(super) fn url() -> Option<String> {
    None
}

/// Makes an empty database ready for the handler.
pub(super) async fn prepare(store: &Store) -> Result<(), Trouble> {
    sqlx::raw_sql(TABLES).execute(store.pool()).await?;
    Ok(())
}

/// Delivers one event, rebuilt from its bytes as an edge would.
pub(super) async fn deliver(store: &Store, event: &[u8]) -> Seen {
    match serde_json::from_slice::<Refund>(event) {
        Ok(event) => Seen::of(&refund_in_sqlite(store, &event, Pace::default()).await),
        Err(error) => Seen::unreadable(&error),
    }
}

/// What the business tables hold.
pub(super) async fn state(store: &Store) -> Result<String, Trouble> {
    Ok(rows(store, "refunds", &[]).await? + "\n" + &rows(store, "ledger", &[]).await?)
}
