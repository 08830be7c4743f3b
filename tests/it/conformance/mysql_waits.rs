//! Nobody waits on MariaDB for somebody else's claim, and what is short or read-only there is told by
//! name.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use idem::claim::ResultKind;
use idem::store::{Claimed, Completion, Store as _, TransactionalStore as _};
use idem::{Error, Mode, MysqlStore, Outcome, StoreErrorKind};
use sqlx::Executor as _;
use sqlx::mysql::MySqlPoolOptions;

use super::harness::Harness;
use super::script::*;
use super::stores::Mysql;

/// An owner that stalls between its completion and its commit has the row, and nobody waits for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_takeover_does_not_wait_for_an_owner_that_stalls_before_its_commit() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    let leased = workflow(Mode::Leased, |w| w);
    let asked = request(leased, "one", "10");
    let Claimed::Won(claim) = h.store().claim(&asked).await.expect("it answers") else {
        panic!("the key is free");
    };
    h.age(Duration::from_secs(61)).await;
    let Claimed::Won(mut tx) = h.store().begin(&asked, &claim).await.expect("it begins") else {
        panic!("a transaction can be had");
    };
    let completion = Completion {
        kind: ResultKind::Value,
        bytes: Some(b"\"slow\""),
        version: 1,
    };
    let completed = h.store().complete_in(&mut tx, &asked, &claim, completion);
    completed.await.expect("it is not committed");
    // The stalled owner goes on only afterwards: an answer did not wait for it.
    for _ in 0..3 {
        let told = call::<Mysql>(h.store(), &delivery(leased, "one")).await;
        assert!(is_busy(&told), "{told:?}");
    }
    h.store().rollback(tx).await.expect("it rolls back");
    let told = call::<Mysql>(h.store(), &delivery(leased, "one")).await;
    assert!(
        matches!(&told, Ok(Outcome::Fresh(answer)) if answer.attempt() == 2),
        "{told:?}"
    );
    h.close().await;
}

/// Sessions of this test's database that wait for a lock by name, which its trigger does.
const STALLED: &str = "select count(*) from information_schema.processlist
     where db = database() and state = 'User lock'";

/// A claim that is decided but not committed yet, as with a slow disk or a replica that is waited for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leased_claim_does_not_wait_for_another_that_is_not_committed() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    h.sql(
        "create trigger stall before insert on processed_operations for each row
         set @stalled = get_lock(concat('stall ', database()), 20), @freed = release_lock(concat('stall ', database()))",
    )
    .await;
    let mut operator = h.store().pool().acquire().await.expect("a session");
    operator
        .execute("do get_lock(concat('stall ', database()), 0)")
        .await
        .expect("the triggers wait from now on");
    let one = delivery(workflow(Mode::Leased, |w| w), "one");
    let first = spawn::<Mysql>(h.store(), &one);
    loop {
        let stalled: i64 = sqlx::query_scalar(STALLED)
            .fetch_one(&mut *operator)
            .await
            .expect("a count");
        if stalled > 0 {
            break;
        }
    }
    let told = call::<Mysql>(h.store(), &one).await;
    assert!(is_busy(&told), "{told:?}");
    operator
        .execute("do release_lock(concat('stall ', database()))")
        .await
        .expect("the triggers go on");
    assert!(is_fresh(&first.await.expect("the first ends")));
    drop(operator);
    h.close().await;
}

#[tokio::test]
async fn an_exhausted_pool_says_so_and_passes() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    let pool = MySqlPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(Duration::from_millis(200))
        .connect_with(h.1.options())
        .await
        .expect("the server answers");
    let store = MysqlStore::new(pool.clone());
    let held = pool.acquire().await.expect("the one connection");
    for mode in MODES {
        let one = delivery(workflow(mode, |w| w), "one");
        let Err(Error::Store(error)) = call::<Mysql>(&store, &one).await else {
            panic!("there is no connection");
        };
        assert_eq!(error.kind(), StoreErrorKind::Transient);
        let said = error.to_string();
        assert!(said.contains("every connection of the pool (1)"), "{said}");
    }
    drop(held);
    let one = delivery(workflow(Mode::Fused, |w| w), "one");
    assert!(is_fresh(&call::<Mysql>(&store, &one).await));
    pool.close().await;
    h.close().await;
}

/// A replica answers questions and refuses writes, here as a claim's own statement is told so.
#[tokio::test]
async fn a_server_that_takes_no_writes_runs_nothing_and_says_why() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    let known = delivery(workflow(Mode::Fused, |w| w), "known");
    assert!(is_fresh(&call::<Mysql>(h.store(), &known).await));
    h.sql(
        "create trigger replica before insert on processed_operations for each row
         signal sqlstate 'HY000' set mysql_errno = 1290, message_text = 'der Server schreibt nicht'",
    )
    .await;
    assert!(is_replay(&call::<Mysql>(h.store(), &known).await));
    let runs = Arc::new(AtomicU32::new(0));
    let leased = workflow(Mode::Leased, |w| w);
    let one = delivery(leased, "one").only([Step::Count(Arc::clone(&runs))]);
    let Err(Error::Store(error)) = call::<Mysql>(h.store(), &one).await else {
        panic!("nothing can be claimed there");
    };
    assert_eq!(error.kind(), StoreErrorKind::Transient);
    let said = error.to_string();
    assert!(said.contains("connect to the primary"), "{said}");
    assert_eq!(runs.load(Ordering::SeqCst), 0);
    h.close().await;
}

/// A server may speak any language: what an error means is in its number.
#[tokio::test]
async fn an_error_in_another_language_means_what_its_number_says() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    for (number, state, kind) in [
        (1205, "HY000", StoreErrorKind::Transient),
        (1040, "08004", StoreErrorKind::Transient),
        (1053, "08S01", StoreErrorKind::Connection),
        (1142, "42000", StoreErrorKind::Permanent),
    ] {
        h.sql(&format!(
            "create or replace trigger refuse before insert on processed_operations for each row
             signal sqlstate '{state}' set mysql_errno = {number}, message_text = 'Schlüssel doppelt'"
        ))
        .await;
        let mut one = delivery(workflow(Mode::Fused, |w| w), "one").only([]);
        one.id = number.to_string();
        let told = call::<Mysql>(h.store(), &one).await;
        assert!(
            matches!(&told, Err(Error::Store(error)) if error.kind() == kind),
            "{number}: {told:?}"
        );
    }
    h.close().await;
}
