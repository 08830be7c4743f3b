//! Connections that die under a call on Postgres: what remains, and what the next caller is told.
//! The drill kills whole processes; here the server ends a session, which no process survives to
//! tidy up after.

use std::sync::Arc;
use std::time::Duration;

use idem::{Error, Mode, Outcome, PostgresStore, Store as _, StoreErrorKind};
use tokio::sync::Notify;

use super::harness::{Harness as _, row};
use super::script::{
    Step, call, delivery, is_busy, is_fresh, is_replay, key_of, spawn, until_told, workflow,
};
use super::stores::Postgres;

/// Ends every other session of this test's schema.
const KILL: &str = "
    select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and application_name = current_setting('application_name')";

#[tokio::test]
async fn a_session_that_dies_in_mid_handler_leaves_nothing_of_a_fused_call() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let one = delivery(workflow(Mode::Fused, |w| w), "one");
    let working = one
        .clone()
        .then(Step::Tell(Arc::clone(&begun)))
        .then(Step::Await(Arc::clone(&go_on)));
    let owner = spawn::<Postgres>(h.store(), &working);
    begun.notified().await;
    let killer = h.stranger().await;
    sqlx::raw_sql(KILL)
        .execute(killer.pool())
        .await
        .expect("a superuser may");
    go_on.notify_one();
    let told = owner.await.expect("the owner ends");
    let Err(Error::Store(error)) = told else {
        panic!("{told:?}");
    };
    assert_eq!(error.kind(), StoreErrorKind::Connection, "{error:?}");
    assert_eq!(row(&killer, &one.key()).await, None);
    assert!(is_fresh(&until_told::<Postgres>(&killer, &one).await));
    assert_eq!(super::harness::count(killer.pool(), "effects").await, 1);
    killer.pool().close().await;
    h.close().await;
}

#[tokio::test]
async fn a_session_that_dies_in_mid_handler_leaves_a_leased_claim_to_its_lease() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let leased = workflow(Mode::Leased, |w| w);
    let working = delivery(leased, "one")
        .then(Step::Tell(Arc::clone(&begun)))
        .then(Step::Await(Arc::clone(&go_on)));
    let owner = spawn::<Postgres>(h.store(), &working);
    begun.notified().await;
    let killer = h.stranger().await;
    sqlx::raw_sql(KILL)
        .execute(killer.pool())
        .await
        .expect("a superuser may");
    go_on.notify_one();
    let told = owner.await.expect("the owner ends");
    assert!(matches!(told, Err(Error::Store(_))), "{told:?}");
    let key = key_of(leased, "one");
    assert_eq!(row(&killer, &key).await.map(|row| row.0), Some("in_flight"));
    let early = call::<Postgres>(&killer, &delivery(leased, "one")).await;
    assert!(is_busy(&early), "{early:?}");
    let aged = include_str!("stores/age_postgres.sql");
    super::harness::run(killer.pool(), &aged.replace("$1", "61000")).await;
    let told = call::<Postgres>(&killer, &delivery(leased, "one")).await;
    assert!(
        matches!(&told, Ok(Outcome::Fresh(a)) if a.attempt() == 2),
        "{told:?}"
    );
    assert_eq!(super::harness::count(killer.pool(), "effects").await, 1);
    killer.pool().close().await;
    h.close().await;
}

#[tokio::test]
async fn connections_that_died_in_the_pool_are_no_callers_business() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    // Like `connect`: no ping before a connection is used.
    let store = PostgresStore::new(h.1.unpinged_pool().await);
    let flow = workflow(Mode::Fused, |w| w);
    let mut connections = Vec::new();
    for _ in 0..4 {
        connections.push(store.pool().acquire().await.expect("a connection"));
    }
    drop(connections);
    while store.pool().num_idle() < 4 {
        tokio::task::yield_now().await;
    }
    let killer = h.stranger().await;
    sqlx::raw_sql(KILL)
        .execute(killer.pool())
        .await
        .expect("a superuser may");
    assert!(is_fresh(
        &call::<Postgres>(&store, &delivery(flow, "one")).await
    ));
    assert!(is_replay(
        &call::<Postgres>(&store, &delivery(flow, "one")).await
    ));
    store.pool().close().await;
    killer.pool().close().await;
    h.close().await;
}

#[tokio::test]
async fn a_server_that_is_not_there_is_a_connection_error_and_nothing_runs() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    let error = PostgresStore::connect("postgres://nobody@127.0.0.1:1/nowhere")
        .await
        .expect_err("nothing listens there");
    assert_eq!(error.kind(), StoreErrorKind::Connection, "{error:?}");
    let closed = h.stranger().await;
    closed.pool().close().await;
    for mode in [Mode::Fused, Mode::Leased] {
        let told = call::<Postgres>(&closed, &delivery(workflow(mode, |w| w), "one")).await;
        let Err(Error::Store(error)) = told else {
            panic!("{told:?}");
        };
        assert_eq!(error.kind(), StoreErrorKind::Connection, "{error:?}");
    }
    let error = closed.sweep(10).await.expect_err("it is closed");
    assert_eq!(error.kind(), StoreErrorKind::Connection);
    assert_eq!(h.effects().await, 0);
    h.close().await;
}

#[tokio::test]
async fn a_handler_that_swallows_a_failed_statement_is_found_out() {
    use idem::__private::{Opened, codec, failure, hash_finish, hasher, open, value};
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    let flow = workflow(Mode::Fused, |w| w);
    let hash = hash_finish(hasher(flow));
    let store = h.store().clone();
    let opened: Opened<'_, _, u32, super::script::Oops> =
        open(&store, flow, None, Ok(key_of(flow, "one")), hash).await;
    let Opened::Run(mut run) = opened else {
        panic!("the key is absent");
    };
    let (tx, guard) = run.parts();
    let driven = guard
        .drive(async {
            Postgres::put(tx, "one").await.expect("it writes");
            Postgres::put(tx, "one")
                .await
                .expect_err("the name is taken");
            Ok::<_, super::script::Oops>(1_u32)
        })
        .await;
    let told = run.settle_once_as(codec(value(), failure()), driven).await;
    let Err(Error::Store(error)) = told else {
        panic!("{told:?}");
    };
    assert!(
        error.to_string().contains("return that statement's error"),
        "{error}"
    );
    assert_eq!(h.effects().await, 0);
    assert_eq!(
        row(h.store(), &key_of(flow, "one")).await.map(|row| row.0),
        Some("failed")
    );
    h.close().await;
}

#[tokio::test]
async fn a_sweep_skips_a_row_that_somebody_has_locked() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    let flow = workflow(Mode::Fused, |w| w);
    for id in ["a", "b"] {
        assert!(is_fresh(
            &call::<Postgres>(h.store(), &delivery(flow, id).only([])).await
        ));
    }
    h.age(Duration::from_secs(3601)).await;
    let mut holder = h.store().pool().begin().await.expect("it begins");
    let lock = "select 1 from processed_operations where idempotency_key like '%:a' for update";
    sqlx::query(lock)
        .execute(&mut *holder)
        .await
        .expect("it locks");
    assert_eq!(h.store().sweep(10).await.expect("it does not wait"), 1);
    holder.rollback().await.expect("it lets go");
    assert_eq!(h.store().sweep(10).await.expect("it sweeps"), 1);
    h.close().await;
}
