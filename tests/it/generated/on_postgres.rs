//! The generated handler of the other database, drilled where there is a server.

mod refund_order;

use idem::PostgresStore;
use idem::drill::{Child, Drill, Events, Seen, Subject, Trouble, rows};

use self::refund_order::{RefundOrder, refund_order};
use crate::postgres_server;

#[derive(Clone)]
struct OnPostgres;

impl Subject for OnPostgres {
    type Store = PostgresStore;

    async fn prepare(&self, store: &PostgresStore) -> Result<(), Trouble> {
        sqlx::raw_sql(super::unclaimed::TABLES)
            .execute(store.pool())
            .await?;
        Ok(())
    }

    async fn deliver(&self, store: &PostgresStore, event: &[u8]) -> Seen {
        match serde_json::from_slice::<RefundOrder>(event) {
            Ok(event) => Seen::of(&refund_order(store, &event).await),
            Err(error) => Seen::unreadable(&error),
        }
    }

    async fn state(&self, store: &PostgresStore) -> Result<String, Trouble> {
        Ok(rows(store, "refunds", &[]).await? + &rows(store, "ledger", &["reason"]).await?)
    }

    fn events(&self) -> Result<Events, Trouble> {
        super::unclaimed::events()
    }
}

/// Does nothing unless a drill started this process.
#[test]
fn the_process_that_is_killed() {
    idem::drill::child(&OnPostgres);
}

#[test]
fn a_generated_handler_passes_its_drill_on_postgres() {
    if let Some(url) = postgres_server::url() {
        let process = concat!(module_path!(), "::the_process_that_is_killed");
        let report = Drill::of(OnPostgres)
            .child(Child::test(process))
            .at(url)
            .run();
        assert!(report.passed(), "{report}");
    }
}
