//! What a MariaDB or MySQL session can be in, and what a handler and the server can do to it, besides
//! what every store promises.

use std::sync::Arc;
use std::time::Duration;

use idem::__private::{Opened, Settled, hash_finish, hasher, open};
use idem::{Error, Failure, FailureClass, Mode, MysqlStore, Outcome, Store as _, StoreErrorKind};
use sqlx::mysql::MySqlPoolOptions;
use sqlx::{Connection as _, Executor as _, MySqlPool};
use tokio::sync::Notify;

use super::hangups::{POINTS, hang_up_after, soon};
use super::harness::{Harness, count, row};
use super::script::*;
use super::stores::Mysql;

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

/// Delivers with that handler, which is told how often it was run before.
async fn run(
    store: &MysqlStore,
    mode: Mode,
    id: &str,
    handler: impl AsyncFn(&mut idem::mysql::Tx<'static>, u32) -> Result<(), sqlx::Error>,
) -> (Result<Outcome<u32>, Error<Sql>>, u32) {
    let flow = workflow(mode, |w| w);
    let hash = hash_finish(hasher(flow));
    let mut runs = 0;
    let mut run = match open(store, flow, None, Ok(key_of(flow, id)), hash).await {
        Opened::Run(run) => run,
        Opened::Answer(answer) => return (answer, 0),
    };
    loop {
        let (tx, guard) = run.parts();
        let handled = async { handler(tx, runs).await.map(|()| runs).map_err(Sql) };
        let driven = guard.drive(handled).await;
        runs += 1;
        match run.settle(driven).await {
            Settled::Done(answer) => return (answer, runs),
            Settled::Again(next) => run = next,
        }
    }
}

async fn put(tx: &mut idem::mysql::Tx<'static>, name: &str) -> Result<(), sqlx::Error> {
    Mysql::put(tx, name).await
}

fn refused(told: &Result<Outcome<u32>, Error<Sql>>) -> String {
    let Err(Error::Store(error)) = told else {
        panic!("{told:?}");
    };
    assert_eq!(error.kind(), StoreErrorKind::Permanent, "{error:?}");
    error.to_string()
}

/// Where each statement would be committed by itself, it is in a transaction of its own that is not.
#[tokio::test]
async fn what_a_handler_does_after_it_ended_its_transaction_is_not_committed() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    for mode in MODES {
        for statement in [
            "commit",
            "rollback",
            "commit and chain",
            "start transaction",
            "create table if not exists other (a int)",
        ] {
            let id = format!("{mode:?} {statement}");
            let (told, _) = run(h.store(), mode, &id, async |tx, _| {
                tx.execute(statement).await?;
                put(tx, &id).await
            })
            .await;
            let said = refused(&told);
            assert!(said.contains("ended the transaction"), "{id}: {said}");
            assert_eq!(h.effects().await, 0, "{id}");
        }
    }
    h.close().await;
}

#[tokio::test]
async fn a_handler_that_moves_to_another_database_is_found_out() {
    let (Some(h), Some(other)) = (Mysql::fresh().await, Mysql::fresh().await) else {
        return;
    };
    let elsewhere = sqlx::query_scalar::<_, String>("select database()")
        .fetch_one(other.store().pool())
        .await
        .expect("it says so");
    for mode in MODES {
        let (told, _) = run(h.store(), mode, &format!("{mode:?}"), async |tx, _| {
            tx.execute(sqlx::AssertSqlSafe(format!("use {elsewhere}")))
                .await?;
            put(tx, "lost").await
        })
        .await;
        let said = refused(&told);
        assert!(said.contains("changed the session's database"), "{said}");
    }
    assert_eq!(h.effects().await + other.effects().await, 0);
    assert_eq!(other.rows().await, 0);
    other.close().await;
    h.close().await;
}

/// A transaction inside the handler's is a savepoint.
#[tokio::test]
async fn a_handlers_inner_transaction_commits_and_rolls_back_within_the_outer_one() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    for mode in MODES {
        let (told, _) = run(h.store(), mode, &format!("{mode:?}"), async |tx, _| {
            for (name, keep) in [("kept", true), ("undone", false), ("dropped", false)] {
                let mut inner = tx.begin().await?;
                let put =
                    sqlx::query(super::harness::PUT_IN_PLACE).bind(format!("{mode:?} {name}"));
                put.execute(&mut *inner).await?;
                match (name, keep) {
                    (_, true) => inner.commit().await?,
                    ("undone", false) => inner.rollback().await?,
                    (_, false) => drop(inner),
                }
            }
            Ok(())
        })
        .await;
        assert!(matches!(told, Ok(Outcome::Fresh(_))), "{told:?}");
    }
    assert_eq!(h.effects().await, 2);
    h.close().await;
}

/// Tables that are not rolled back remember how often a statement was tried.
#[tokio::test]
async fn a_lost_transaction_is_run_again_within_the_same_claim() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    for mode in MODES {
        for (number, state) in [(1213, "40001"), (1020, "HY000"), (3101, "40000")] {
            let id = format!("{mode:?} {number}");
            let signal = format!("signal sqlstate '{state}' set mysql_errno = {number}");
            let (told, runs) = run(h.store(), mode, &id, async |tx, before| {
                put(tx, &id).await?;
                if before < 2 {
                    let signal = sqlx::AssertSqlSafe(signal.clone());
                    sqlx::raw_sql(signal).execute(&mut **tx).await?;
                }
                Ok(())
            })
            .await;
            assert!(
                matches!(&told, Ok(Outcome::Fresh(a)) if a.attempt() == 1),
                "{id}: {told:?}"
            );
            assert_eq!(runs, 3, "{id}");
        }
    }
    assert_eq!(h.effects().await, 6);
    let (told, runs) = run(h.store(), Mode::Fused, "always", async |tx, _| {
        let signal = sqlx::raw_sql("signal sqlstate '40001' set mysql_errno = 1213");
        signal.execute(&mut **tx).await.map(drop)
    })
    .await;
    assert!(matches!(told, Err(Error::Failed(_))), "{told:?}");
    assert_eq!(runs, 6);
    h.close().await;
}

/// A real deadlock: the server rolls the handler's transaction back, as the one that wrote less, and
/// the next statement would be committed by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deadlock_is_run_again_and_one_that_is_swallowed_commits_nothing() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    h.sql(
        "create table accounts (id int primary key, cents int not null) engine = innodb;
         insert into accounts values (1, 0), (2, 0);
         create table heavy (id int primary key) engine = innodb",
    )
    .await;
    for mode in MODES {
        for swallow in [false, true] {
            let id = format!("{mode:?} {swallow}");
            let (told, runs) = run(h.store(), mode, &id, async |tx, before| {
                put(tx, &format!("{id} before")).await?;
                if before > 0 {
                    return Ok(());
                }
                tx.execute("update accounts set cents = cents + 1 where id = 1")
                    .await?;
                let other = other_half(&h).await;
                let lost = tx
                    .execute("update accounts set cents = cents + 1 where id = 2")
                    .await
                    .expect_err("it is the victim");
                other.await.expect("the other goes on");
                if swallow {
                    return put(tx, &format!("{id} after")).await;
                }
                Err(lost)
            })
            .await;
            if swallow {
                let said = refused(&told);
                assert!(said.contains("a person decides"), "{said}");
            } else {
                assert!(matches!(told, Ok(Outcome::Fresh(_))), "{id}: {told:?}");
                assert_eq!(runs, 2, "{id}");
            }
        }
    }
    assert_eq!(h.effects().await, 2);
    h.close().await;
}

/// Takes the second account, and then waits for the first one.
async fn other_half(h: &Mysql) -> tokio::task::JoinHandle<()> {
    let mut other = h.store().pool().begin().await.expect("it begins");
    // What was written tells the server whom to sacrifice.
    other
        .execute(
            "insert into heavy with recursive n as (select 1 as id union all select id + 1 from n \
             where id < 200) select id from n",
        )
        .await
        .expect("it writes much");
    other
        .execute("update accounts set cents = cents + 1 where id = 2")
        .await
        .expect("it is free");
    tokio::spawn(async move {
        other
            .execute("update accounts set cents = cents + 1 where id = 1")
            .await
            .expect("it waits, and gets it");
        other.rollback().await.expect("it rolls back");
    })
}

/// Nothing depends on how the caller's sessions are set.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_of_the_session_change_nothing() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    for (at, setting) in [
        "set time_zone = '+09:30'",
        "set time_zone = '-11:00'",
        "set names latin1",
        "set sql_mode = ''",
        "set sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT,IGNORE_SPACE'",
        "set session transaction isolation level serializable",
        "set session transaction isolation level read committed",
        "set session transaction isolation level read uncommitted",
        "set innodb_lock_wait_timeout = 1",
    ]
    .into_iter()
    .enumerate()
    {
        let store = MysqlStore::new(h.1.pool_with(setting).await);
        for mode in MODES {
            let id: &'static str = format!("{at} {mode:?} \u{e9}").leak();
            let flow = workflow(mode, |w| w);
            let failing = delivery(flow, id).then(Step::FailFirst(Oops::TryAgain));
            let told = call::<Mysql>(&store, &failing).await;
            assert!(matches!(told, Err(Error::Failed(_))), "{setting}: {told:?}");
            let told = call::<Mysql>(&store, &failing).await;
            assert!(is_fresh(&told), "{setting}: {told:?}");
            for reader in [&store, h.store()] {
                let told = call::<Mysql>(reader, &delivery(flow, id)).await;
                let Ok(Outcome::Replay(answer)) = &told else {
                    panic!("{setting}: {told:?}");
                };
                let since = answer.completed_at().elapsed().unwrap_or_default();
                assert!(since < Duration::from_secs(60), "{setting}: {since:?}");
            }
        }
        assert_eq!(store.sweep(100).await.expect("it sweeps"), 0, "{setting}");
        store.pool().close().await;
    }
    h.close().await;
}

/// Whether nobody holds the lock of that key.
async fn is_free(pool: &MySqlPool, key: &idem::Key) -> bool {
    sqlx::query_scalar::<_, bool>(
        "select is_free_lock(concat('idem:', left(sha2(concat_ws(':', database(), sha2(?, 256)), 256), 40)))",
    )
    .bind(key.as_str())
    .fetch_one(pool)
    .await
    .expect("it says so")
}

/// The lock belongs to the session, which goes back to a pool: it is let go however a call ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_keys_lock_is_let_go_before_its_caller_is_told() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    let watcher = h.1.pool().await;
    let flow = workflow(Mode::Fused, |w| w);
    for (id, end) in [
        ("done", None),
        ("failed", Some(Step::Fail(Oops::TryAgain))),
        ("refused", Some(Step::Fail(Oops::NotPaid))),
        ("unknown", Some(Step::Fail(Oops::WhoKnows))),
    ] {
        let begun = Arc::new(Notify::new());
        let go_on = Arc::new(Notify::new());
        let mut one = delivery(flow, id).then(Step::Tell(Arc::clone(&begun)));
        one.steps.push(Step::Await(Arc::clone(&go_on)));
        one.steps.extend(end);
        let calling = spawn::<Mysql>(h.store(), &one);
        begun.notified().await;
        assert!(!is_free(&watcher, &one.key()).await, "{id}");
        go_on.notify_one();
        let _told = calling.await.expect("it ends");
        assert!(is_free(&watcher, &one.key()).await, "{id}");
    }
    watcher.close().await;
    h.close().await;
}

/// The server knows locks by name, whatever the database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn equal_keys_of_two_databases_do_not_meet() {
    let (Some(h), Some(other)) = (Mysql::fresh().await, Mysql::fresh().await) else {
        return;
    };
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let one = delivery(workflow(Mode::Fused, |w| w), "one");
    let working = one
        .clone()
        .then(Step::Tell(Arc::clone(&begun)))
        .then(Step::Await(Arc::clone(&go_on)));
    let winner = spawn::<Mysql>(h.store(), &working);
    begun.notified().await;
    assert!(is_fresh(&call::<Mysql>(other.store(), &one).await));
    go_on.notify_one();
    assert!(is_fresh(&winner.await.expect("it ends")));
    other.close().await;
    h.close().await;
}

/// A driver that prepares each statement anew has more places to be interrupted in: no session that
/// was is lent again.
#[tokio::test]
async fn hanging_up_while_a_statement_is_prepared_spoils_no_session() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    let pool = MySqlPoolOptions::new()
        .max_connections(1)
        .test_before_acquire(false)
        .connect_with(h.1.options().statement_cache_capacity(0))
        .await
        .expect("the server answers");
    let store = MysqlStore::new(pool);
    for mode in MODES {
        for points in 1..=2 * POINTS {
            let id: &'static str = format!("{mode:?} {points}").leak();
            let one = delivery(workflow(mode, |w| w.max_attempts(1)), id);
            let first = hang_up_after(points, call::<Mysql>(&store, &one)).await;
            let told = soon::<Mysql>(&store, &one).await;
            assert!(is_fresh(&told) || is_replay(&told), "{id}: {told:?}");
            if first.is_some() {
                break;
            }
            assert!(points < 2 * POINTS, "{mode:?}: the call never ends");
        }
    }
    let rows = count(store.pool(), "effects").await;
    assert_eq!(rows, count(store.pool(), "processed_operations").await);
    store.pool().close().await;
    h.close().await;
}

/// Ends every other session of this test's database.
async fn kill_others(pool: &MySqlPool) {
    let ids = "select id from information_schema.processlist where db = database() and id <> connection_id()";
    let mut connection = pool.acquire().await.expect("a session");
    loop {
        let ids: Vec<i64> = sqlx::query_scalar(ids)
            .fetch_all(&mut *connection)
            .await
            .expect("it lists them");
        if ids.is_empty() {
            return;
        }
        for id in ids {
            // It may have gone meanwhile.
            let kill = sqlx::AssertSqlSafe(format!("kill {id}"));
            let _gone = sqlx::raw_sql(kill).execute(&mut *connection).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_restarted_costs_no_call() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    let killer = h.1.pool().await;
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
            let store = MysqlStore::new(h.1.unasked_pool().await);
            let sessions = [(); 4].map(|()| store.pool().acquire());
            for session in sessions {
                drop(session.await.expect("a session"));
            }
            let mut one = delivery(flow, id).only([]);
            if let Some(oops) = end {
                one = one.then(Step::Fail(oops));
            }
            kill_others(&killer).await;
            let told = call::<Mysql>(&store, &one).await;
            let (as_told, stored) = match end {
                None => (is_fresh(&told), "done"),
                Some(Oops::TryAgain) => (matches!(told, Err(Error::Failed(_))), "failed"),
                Some(Oops::NotPaid) => (matches!(told, Err(Error::Refused { .. })), "done"),
                Some(Oops::WhoKnows) => (matches!(told, Err(Error::Unknown(_))), "ambiguous"),
            };
            assert!(as_told, "{id}: {told:?}");
            let (status, ..) = row(&store, &one.key()).await.expect("a row");
            assert_eq!(status, stored, "{id}");
            store.pool().close().await;
        }
    }
    killer.close().await;
    h.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_dies_in_mid_handler_leaves_nothing_of_its_writes() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    for mode in MODES {
        let id: &'static str = format!("{mode:?}").leak();
        let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let one = delivery(workflow(mode, |w| w), id);
        let working = one
            .clone()
            .then(Step::Tell(Arc::clone(&begun)))
            .then(Step::Await(Arc::clone(&go_on)));
        let owner = spawn::<Mysql>(h.store(), &working);
        begun.notified().await;
        let stranger = h.stranger().await;
        kill_others(stranger.pool()).await;
        go_on.notify_one();
        let told = owner.await.expect("the owner ends");
        let Err(Error::Store(error)) = &told else {
            panic!("{told:?}");
        };
        assert_eq!(error.kind(), StoreErrorKind::Connection, "{error:?}");
        let found = row(&stranger, &one.key()).await;
        match mode {
            Mode::Fused => assert_eq!(found, None),
            Mode::Leased => assert_eq!(found.map(|row| row.0), Some("in_flight")),
        }
        h.age(Duration::from_secs(61)).await;
        assert!(is_fresh(&until_told::<Mysql>(&stranger, &one).await));
        stranger.pool().close().await;
    }
    assert_eq!(h.effects().await, 2);
    h.close().await;
}

/// A process died between a statement that changes tables, which commits at once, and the record.
#[tokio::test]
async fn a_migration_that_was_cut_short_is_taken_up_again() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    for cut in [
        "update idem_migrations set applied_at = null",
        "update idem_migrations set applied_at = null where version > 1;
         drop index processed_operations_by_expiry on processed_operations",
        "update idem_migrations set applied_at = null where version > 2; drop table operation_effects;
         drop table operation_settlements",
        "drop table operation_effects; drop table processed_operations; drop table dead_letters;
         drop table operation_settlements;
         delete from idem_migrations where version > 1;
         update idem_migrations set applied_at = null",
    ] {
        h.sql(cut).await;
        let applied = h.store().migrate().await.expect("it migrates");
        assert_eq!(applied.last(), Some(&4), "{cut}");
        h.store().check().await.expect("the tables are whole");
    }
    h.close().await;
}

#[tokio::test]
async fn a_sweep_skips_a_row_that_somebody_has_locked() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    let flow = workflow(Mode::Fused, |w| w);
    for id in ["a", "b"] {
        let one = delivery(flow, id).only([]);
        assert!(is_fresh(&call::<Mysql>(h.store(), &one).await));
    }
    h.age(Duration::from_secs(3601)).await;
    let mut holder = h.store().pool().begin().await.expect("it begins");
    sqlx::query("select 1 from processed_operations where idempotency_key = ? for update")
        .bind(key_of(flow, "a").as_str())
        .execute(&mut *holder)
        .await
        .expect("it locks");
    assert_eq!(h.store().sweep(10).await.expect("it does not wait"), 1);
    holder.rollback().await.expect("it lets go");
    assert_eq!(h.store().sweep(10).await.expect("it sweeps"), 1);
    h.close().await;
}

/// What every session above read committed has: a snapshot, and gaps that it locks.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_race_has_one_winner_and_no_errors_under_any_isolation() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    for (setting, name) in [
        (
            "set session transaction isolation level read committed",
            "rc",
        ),
        (
            "set session transaction isolation level repeatable read",
            "rr",
        ),
        (
            "set session transaction isolation level serializable",
            "ser",
        ),
    ] {
        let store = MysqlStore::new(h.1.pool_with(setting).await);
        for mode in MODES {
            for round in 0..10 {
                let id: &'static str = format!("{name} {mode:?} {round}").leak();
                let one = delivery(workflow(mode, |w| w), id);
                let calls: Vec<_> = (0..6)
                    .map(|_| {
                        let (store, one) = (store.clone(), one.clone());
                        tokio::spawn(async move { until_told::<Mysql>(&store, &one).await })
                    })
                    .collect();
                let mut fresh = 0;
                for call in calls {
                    let told = call.await.expect("a caller ends");
                    assert!(is_fresh(&told) || is_replay(&told), "{id}: {told:?}");
                    fresh += u32::from(is_fresh(&told));
                }
                assert_eq!(fresh, 1, "{id}");
            }
        }
        store.pool().close().await;
    }
    assert_eq!(h.effects().await, 60);
    h.close().await;
}
