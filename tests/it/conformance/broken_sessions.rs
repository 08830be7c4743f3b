//! What a Postgres session can be in, and what can happen to it, besides what every store promises.

use std::sync::Arc;
use std::time::{Duration, Instant};

use idem::__private::{Opened, Settled, open};
use idem::claim::ResultKind;
use idem::store::{Claimed, Completion, Held, Remains, Store as _, TransactionalStore as _};
use idem::{Error, Mode, PostgresStore, StoreErrorKind};
use sqlx::Executor as _;

use super::harness::{Harness, row};
use super::script::*;
use super::stores::Postgres;

/// Ends every session of this schema's pool but the one that asks.
const KILL: &str = "select pg_terminate_backend(pid) from pg_stat_activity \
     where pid <> pg_backend_pid() and application_name = $1";

/// A pool of some open sessions under a name of its own.
async fn named(h: &Postgres, name: &str) -> PostgresStore {
    let pool = h.1.unasked_pool(name).await;
    let mut open = Vec::new();
    for _ in 0..4 {
        open.push(pool.acquire().await.expect("a session"));
    }
    drop(open);
    while pool.num_idle() < 4 {
        tokio::task::yield_now().await;
    }
    PostgresStore::new(pool)
}

async fn kill(h: &Postgres, name: &str) {
    sqlx::query(KILL)
        .bind(name)
        .execute(h.store().pool())
        .await
        .expect("the sessions end");
    let gone = "select count(*) from pg_stat_activity where application_name = $1";
    loop {
        let left: i64 = sqlx::query_scalar(gone)
            .bind(name)
            .fetch_one(h.store().pool())
            .await
            .expect("a count");
        if left == 0 {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_restarted_costs_no_call() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    let ends = [
        ("ok", None),
        ("later", Some(Oops::TryAgain)),
        ("never", Some(Oops::NotPaid)),
        ("unknown", Some(Oops::WhoKnows)),
    ];
    for mode in MODES {
        let flow = workflow(mode, |w| w);
        for (what, end) in ends {
            let id: &'static str = format!("{mode:?}-{what}").leak();
            let name = format!("idem-{}-{id}", std::process::id());
            let store = named(&h, &name).await;
            let mut one = delivery(flow, id).only([]);
            if let Some(oops) = end {
                one = one.then(Step::Fail(oops));
            }
            kill(&h, &name).await;
            let told = call::<Postgres>(&store, &one).await;
            let (as_told, stored) = match end {
                None => (is_fresh(&told), "done"),
                Some(Oops::TryAgain) => (matches!(told, Err(Error::Failed(_))), "failed"),
                Some(Oops::NotPaid) => (matches!(told, Err(Error::Refused { .. })), "done"),
                Some(Oops::WhoKnows) => (matches!(told, Err(Error::Unknown(_))), "ambiguous"),
            };
            assert!(as_told, "{id}: {told:?}");
            let (status, ..) = row(h.store(), &one.key()).await.expect("a row");
            assert_eq!(status, stored, "{id}");
            store.pool().close().await;
        }
    }
    h.close().await;
}

/// The other sessions of the pool die while the handler works: what follows is still recorded.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_that_die_in_mid_handler_lose_no_record() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    for mode in MODES {
        let flow = workflow(mode, |w| w);
        let id: &'static str = format!("{mode:?}").leak();
        let name = format!("idem-{}-mid-{id}", std::process::id());
        let store = named(&h, &name).await;
        let (begun, go_on) = (
            Arc::new(tokio::sync::Notify::new()),
            Arc::new(tokio::sync::Notify::new()),
        );
        let one = delivery(flow, id)
            .then(Step::Tell(Arc::clone(&begun)))
            .then(Step::Await(Arc::clone(&go_on)))
            .then(Step::Fail(Oops::WhoKnows));
        let calling = spawn::<Postgres>(&store, &one);
        begun.notified().await;
        kill(&h, &name).await;
        go_on.notify_one();
        let told = calling.await.expect("it ends");
        assert!(matches!(told, Err(Error::Unknown(_))), "{told:?}");
        let (status, ..) = row(h.store(), &one.key()).await.expect("a row");
        assert_eq!(status, "ambiguous", "{id}");
        // The commit's own session died: that is told, and the next delivery finds nothing.
        let id: &'static str = format!("{mode:?}-commit").leak();
        let one = delivery(flow, id)
            .then(Step::Tell(Arc::clone(&begun)))
            .then(Step::Await(Arc::clone(&go_on)));
        let calling = spawn::<Postgres>(&store, &one);
        begun.notified().await;
        kill(&h, &name).await;
        go_on.notify_one();
        let told = calling.await.expect("it ends");
        assert!(
            matches!(&told, Err(Error::Store(e)) if e.kind() == StoreErrorKind::Connection),
            "{told:?}"
        );
        h.age(Duration::from_secs(61)).await;
        let told = call::<Postgres>(&store, &delivery(flow, id)).await;
        assert!(is_fresh(&told), "{told:?}");
        store.pool().close().await;
    }
    assert_eq!(h.effects().await, 2);
    h.close().await;
}

/// What Postgres calls a serialization failure is a lost race here, and a lost race is a value.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_leased_race_above_read_committed_has_no_errors() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    for isolation in ["repeatable read", "serializable"] {
        let pool =
            h.1.pool_with("default_transaction_isolation", isolation)
                .await;
        let store = PostgresStore::new(pool);
        let flow = workflow(Mode::Leased, |w| w);
        for round in 0..20 {
            let id = format!("{isolation}-{round}");
            let asked = request(flow, &id, "10");
            let calls: Vec<_> = (0..6)
                .map(|_| {
                    let (store, asked) = (store.clone(), asked.clone());
                    tokio::spawn(async move { store.claim(&asked).await })
                })
                .collect();
            let mut won = 0;
            for call in calls {
                let told = call.await.expect("a caller ends");
                let told = told.unwrap_or_else(|error| panic!("{id}: {error:?}"));
                won += u32::from(matches!(told, Claimed::Won(_)));
            }
            assert_eq!(won, 1, "{id}");
        }
        store.pool().close().await;
    }
    h.close().await;
}

/// A handler stuck in a statement is no reason to keep its caller once the claim is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_claim_is_told_though_its_statement_hangs() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    for mode in MODES {
        let flow = workflow(mode, |w| w.lease_ms(300));
        let asked = request(flow, &format!("{mode:?}"), "10");
        let start = Instant::now();
        let opened = open::<_, String, Oops>(
            h.store(),
            flow,
            None,
            Ok(asked.key().clone()),
            Ok(asked.fingerprint().clone()),
        )
        .await;
        let Opened::Run(mut run) = opened else {
            panic!("the key is free");
        };
        let (tx, guard) = run.parts();
        let driven = guard
            .drive(async {
                let slept = tx.execute("select pg_sleep(20)").await;
                slept.map(|_| String::new()).map_err(|_| Oops::TryAgain)
            })
            .await;
        let told = match run.settle(driven).await {
            Settled::Done(told) => told,
            Settled::Again(_) => panic!("it is no conflict"),
        };
        assert!(matches!(told, Err(Error::Fenced)), "{told:?}");
        assert!(start.elapsed() < Duration::from_secs(10), "{mode:?}");
    }
    sqlx::query("select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(20)%' and pid <> pg_backend_pid()")
        .execute(h.store().pool())
        .await
        .expect("the statements end");
    h.close().await;
}

/// A fused claim follows a row past its window. The row is swept, and the key is done anew by
/// another program, in the other mode: equal fence, equal status, and still another row.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fused_claim_never_overwrites_the_row_that_came_after_a_sweep() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    let fused = workflow(Mode::Fused, |w| w);
    let leased = workflow(Mode::Leased, |w| w);
    let store = h.store();
    for (id, fails) in [("completes", false), ("fails", true)] {
        let one = delivery(leased, id).only([]);
        assert!(is_fresh(&call::<Postgres>(store, &one).await));
        h.age(Duration::from_secs(3601)).await;
        let asked = request(fused, id, "10");
        let Claimed::Won((mut tx, claim)) = store.claim_in(&asked).await.expect("it answers")
        else {
            panic!("the row is past its window");
        };
        assert_eq!(store.sweep(100).await.expect("it sweeps"), 1);
        assert!(is_fresh(&call::<Postgres>(store, &one).await));
        let held = if fails {
            store.rollback(tx).await.expect("it rolls back");
            store.fail(&asked, &claim, Remains::Nothing).await
        } else {
            let completion = Completion {
                kind: ResultKind::Value,
                bytes: Some(b"\"again\""),
                version: 1,
            };
            let held = store.complete_in(&mut tx, &asked, &claim, completion).await;
            store.rollback(tx).await.expect("it rolls back");
            held.map(|held| match held {
                Held::Yes(_) => Held::Yes(()),
                Held::Lost => Held::Lost,
            })
        };
        assert_eq!(held.expect("it answers"), Held::Lost, "{id}");
        assert!(is_replay(&call::<Postgres>(store, &one).await), "{id}");
        h.age(Duration::from_secs(3601)).await;
        store.sweep(100).await.expect("it sweeps");
    }
    h.close().await;
}

/// The second statement of the round trip that begins a claim fails once. The driver believes that the
/// connection is in no transaction then, and the server knows better.
#[tokio::test]
async fn a_claim_that_failed_while_it_began_leaves_no_connection_of_no_use() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    h.sql(
        "create sequence tries;
         create function pg_try_advisory_xact_lock(bigint) returns boolean language plpgsql as $$
         begin
             if nextval('tries') % 2 = 1 then
                 raise exception 'out of shared memory' using errcode = '53200';
             end if;
             return pg_catalog.pg_try_advisory_xact_lock($1);
         end $$",
    )
    .await;
    let shadowing = {
        let path: String = sqlx::query_scalar("select current_schema::text || ',pg_catalog'")
            .fetch_one(h.store().pool())
            .await
            .expect("a schema");
        let options = h.1.options().options([("search_path", path.as_str())]);
        sqlx::postgres::PgPoolOptions::new()
            .max_connections(1)
            .connect_with(options)
            .await
            .expect("the server answers")
    };
    let store = PostgresStore::new(shadowing);
    let fused = workflow(Mode::Fused, |w| w);
    for id in ["one", "two", "three"] {
        let one = delivery(fused, id);
        let told = call::<Postgres>(&store, &one).await;
        assert!(
            matches!(&told, Err(Error::Store(e)) if e.kind() == StoreErrorKind::Transient),
            "{told:?}"
        );
        let told = call::<Postgres>(&store, &one).await;
        assert!(is_fresh(&told), "{told:?}");
        assert!(is_replay(&call::<Postgres>(&store, &one).await));
    }
    assert_eq!(h.effects().await, 3);
    store.pool().close().await;
    h.close().await;
}
