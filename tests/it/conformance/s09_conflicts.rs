//! Sentence 9. A serialization failure or deadlock of the transaction is retried a bounded number of times
//! within the same claim, but only when all effects are local.
//!
//! Postgres alone has such failures: an SQLite transaction here owns the writer from its start, and
//! the reference store has nothing to lose against.

use idem::__private::{Opened, Settled, hash_finish, hasher, open};
use idem::{Error, Failure, FailureClass, Mode, Outcome, Workflow};

use super::harness::{Harness, row};
use super::script::{MODES, key_of, workflow};
use super::stores::Postgres;

#[derive(Debug)]
struct Sql(sqlx::Error);

impl Failure for Sql {
    fn class(&self) -> FailureClass {
        FailureClass::NoEffect
    }
    fn store_error(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// Delivers with a handler that runs these statements, and counts its runs.
async fn call(
    h: &Postgres,
    workflow: &'static Workflow,
    id: &str,
    statements: &'static str,
) -> (Result<Outcome<u32>, Error<Sql>>, u32) {
    let hash = hash_finish(hasher(workflow));
    let mut runs = 0;
    let mut run = match open(h.store(), workflow, None, Ok(key_of(workflow, id)), hash).await {
        Opened::Run(run) => run,
        Opened::Answer(answer) => return (answer, 0),
    };
    loop {
        runs += 1;
        let (tx, guard) = run.parts();
        let handler = async {
            sqlx::raw_sql(statements)
                .execute(&mut **tx)
                .await
                .map_err(Sql)?;
            Ok(runs)
        };
        let driven = guard.drive(handler).await;
        match run.settle(driven).await {
            Settled::Done(answer) => return (answer, runs),
            Settled::Again(next) => run = next,
        }
    }
}

/// A sequence is not rolled back: it remembers how often a statement was tried.
const CONFLICT_TWICE: &str = "
    create sequence tries;
    create function conflict_twice(code text) returns void language plpgsql as $$
    begin
        if nextval('tries') <= 2 then
            raise exception 'lost' using errcode = code;
        end if;
    end $$;
    create function conflict_at_commit() returns trigger language plpgsql as $$
    begin
        perform conflict_twice('40001');
        return null;
    end $$;
    create constraint trigger late after insert on effects
        deferrable initially deferred for each row
        when (new.name like 'late%') execute function conflict_at_commit();";

#[tokio::test]
async fn a_lost_transaction_is_run_again_within_the_same_claim() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    h.sql(CONFLICT_TWICE).await;
    for (mode, id, statements) in [
        (
            Mode::Fused,
            "serialization",
            "select conflict_twice('40001'); insert into effects values ('a')",
        ),
        (
            Mode::Leased,
            "deadlock",
            "select conflict_twice('40P01'); insert into effects values ('b')",
        ),
        (
            Mode::Fused,
            "at commit",
            "insert into effects values ('late c')",
        ),
        (
            Mode::Leased,
            "leased, at commit",
            "insert into effects values ('late d')",
        ),
    ] {
        h.sql("alter sequence tries restart").await;
        let flow = workflow(mode, |w| w.max_attempts(1));
        let (told, runs) = call(&h, flow, id, statements).await;
        assert!(
            matches!(&told, Ok(Outcome::Fresh(a)) if a.attempt() == 1),
            "{id}: {told:?}"
        );
        assert_eq!(runs, 3, "{id}");
        assert_eq!(
            row(h.store(), &key_of(flow, id)).await.map(|row| row.0),
            Some("done")
        );
    }
    assert_eq!(h.effects().await, 4);
    h.close().await;
}

#[tokio::test]
async fn a_transaction_that_always_loses_is_given_up_and_counted() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    for mode in MODES {
        let id = if mode == Mode::Fused {
            "fused"
        } else {
            "leased"
        };
        let flow = workflow(mode, |w| w);
        let always = "do $$ begin raise exception 'lost' using errcode = '40001'; end $$";
        let (told, runs) = call(&h, flow, id, always).await;
        assert!(matches!(told, Err(Error::Failed(_))), "{told:?}");
        assert_eq!(runs, 6);
        let counted = row(h.store(), &key_of(flow, id))
            .await
            .map(|row| (row.0, row.1));
        assert_eq!(counted, Some(("failed", 1)));
    }
    h.close().await;
}

#[tokio::test]
async fn sessions_above_read_committed_race_without_errors() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    for (isolation, id) in [("repeatable read", "rr"), ("serializable", "ser")] {
        use super::script::{delivery, is_fresh, is_replay, until_told};
        let pool =
            h.1.pool_with("default_transaction_isolation", isolation)
                .await;
        let store = idem::PostgresStore::new(pool);
        let one = delivery(workflow(Mode::Fused, |w| w), id);
        let calls: Vec<_> = (0..12)
            .map(|_| {
                let (store, one) = (store.clone(), one.clone());
                tokio::spawn(async move {
                    loop {
                        // A snapshot as old as the lock shows a key that was free, and the business
                        // table's own rule stops the handler: nothing happened, and it comes again.
                        let told = until_told::<Postgres>(&store, &one).await;
                        if !matches!(told, Err(Error::Failed(_))) {
                            return told;
                        }
                    }
                })
            })
            .collect();
        let mut fresh = 0;
        for call in calls {
            let told = call.await.expect("a caller ends");
            assert!(is_fresh(&told) || is_replay(&told), "{isolation}: {told:?}");
            fresh += u32::from(is_fresh(&told));
        }
        assert_eq!(fresh, 1, "{isolation}");
        store.pool().close().await;
    }
    assert_eq!(h.effects().await, 2);
    h.close().await;
}
