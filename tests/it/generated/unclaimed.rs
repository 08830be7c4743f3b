//! The generated handler's work without its claim: the drill has to say so.

use idem::drill::{Child, Drill, Events, Kind, Record, Seen, Subject, Trouble, rows};
use idem::edge::Verdict;
use idem::{Point, SqliteStore, Store as _};

use super::refund_order::RefundOrder;

pub(super) const TABLES: &str = "
create table refunds (
    tenant_id text not null, refund_id text not null, order_id text not null,
    amount bigint not null, currency text not null, reason text
);
create table ledger (
    tenant_id text not null, refund_id text not null, order_id text not null,
    amount bigint not null, currency text not null, reason text
);";

const INSERTS: [&str; 2] = [
    "insert into refunds (tenant_id, refund_id, order_id, amount, currency, reason)
     values ($1, $2, $3, $4, $5, $6)",
    "insert into ledger (tenant_id, refund_id, order_id, amount, currency, reason)
     values ($1, $2, $3, $4, $5, $6)",
];

pub(super) fn events() -> Result<Events, Trouble> {
    Events::of(
        r#"{"tenant_id": "acme", "refund_id": "r_1", "order_id": "o_1", "amount": 1250, "currency": "EUR"}"#,
    )?
    .other_body("amount", "1300")?
    .must_differ("tenant_id", r#""globex""#)?
    .must_differ("refund_id", r#""r_2""#)
}

/// The handler's body in a transaction of its own: `#[idempotent]` was forgotten.
#[derive(Clone)]
struct Unclaimed;

impl Unclaimed {
    async fn refund(store: &SqliteStore, event: &RefundOrder) -> Result<(), sqlx::Error> {
        store.observe(Point::Claimed);
        let mut transaction = store.pool().begin().await?;
        for insert in INSERTS {
            sqlx::query(insert)
                .bind(&event.tenant_id)
                .bind(&event.refund_id)
                .bind(&event.order_id)
                .bind(event.amount)
                .bind(event.currency.as_str())
                .bind(&event.reason)
                .execute(&mut *transaction)
                .await?;
        }
        store.observe(Point::HandlerDone);
        store.observe(Point::BeforeCommit);
        transaction.commit().await?;
        store.observe(Point::AfterCommit);
        Ok(())
    }
}

impl Subject for Unclaimed {
    type Store = SqliteStore;

    async fn prepare(&self, store: &SqliteStore) -> Result<(), Trouble> {
        sqlx::raw_sql(TABLES).execute(store.pool()).await?;
        Ok(())
    }

    async fn deliver(&self, store: &SqliteStore, event: &[u8]) -> Seen {
        let event: RefundOrder = match serde_json::from_slice(event) {
            Ok(event) => event,
            Err(error) => return Seen::unreadable(&error),
        };
        let (verdict, note) = match Self::refund(store, &event).await {
            Ok(()) => (Verdict::Fresh, String::new()),
            Err(error) => (Verdict::StoreUnavailable, error.to_string()),
        };
        Seen {
            verdict,
            bytes: None,
            note,
        }
    }

    async fn state(&self, store: &SqliteStore) -> Result<String, Trouble> {
        Ok(rows(store, "refunds", &[]).await? + &rows(store, "ledger", &[]).await?)
    }

    fn events(&self) -> Result<Events, Trouble> {
        events()
    }

    async fn records(&self, _: &SqliteStore) -> Result<Vec<Record>, Trouble> {
        Ok(Vec::new())
    }
}

/// Does nothing unless a drill started this process.
#[test]
fn the_process_that_is_killed() {
    idem::drill::child(&Unclaimed);
}

#[test]
fn without_its_claim_the_handler_fails_every_drill_that_delivers_twice() {
    let process = concat!(module_path!(), "::the_process_that_is_killed");
    let report = Drill::of(Unclaimed).child(Child::test(process)).run();
    let failed = report.failed();
    for kind in [
        Kind::ReplayBackToBack,
        Kind::ReplayAfterLease,
        Kind::KillAfterCommit,
        Kind::Race,
        Kind::SameKeyOtherBody,
    ] {
        assert!(failed.contains(&kind), "{kind} let it through\n{report}");
    }
    let said = report.to_string();
    assert!(said.contains("FAILED   replay_back_to_back\n"), "{said}");
    assert!(
        said.contains("expected: replay or tombstone\n           seen:     fresh"),
        "{said}"
    );
}
