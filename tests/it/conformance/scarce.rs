//! What is short or wrong around a store: connections, room, a place for the file, a primary. Each is
//! told by name and by the right kind, and nothing is half done.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use idem::{Error, Mode, PostgresStore, SqliteStore, Store as _, StoreErrorKind};
use sqlx::postgres::PgPoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

use super::harness::{Harness as _, count, row};
use super::script::*;
use super::stores::{Postgres, Sqlite};

/// A pool of one connection that is not waited for long.
async fn pool_of_one(h: &Postgres) -> sqlx::PgPool {
    PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(Duration::from_millis(200))
        .connect_with(h.1.options())
        .await
        .expect("the server answers")
}

#[tokio::test]
async fn an_exhausted_pool_says_so_and_passes() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    let pool = pool_of_one(&h).await;
    let store = PostgresStore::new(pool.clone());
    let held = pool.acquire().await.expect("the one connection");
    for mode in MODES {
        let one = delivery(workflow(mode, |w| w), "one");
        let Err(Error::Store(error)) = call::<Postgres>(&store, &one).await else {
            panic!("there is no connection");
        };
        assert_eq!(error.kind(), StoreErrorKind::Transient);
        assert!(
            error
                .to_string()
                .contains("every connection of the pool (1) was in use"),
            "{error}"
        );
    }
    drop(held);
    let one = delivery(workflow(Mode::Fused, |w| w), "one");
    assert!(is_fresh(&call::<Postgres>(&store, &one).await));
    pool.close().await;
    h.close().await;
}

/// Between the claim and the handler's transaction the pool runs dry. The claim is won, and given
/// back: to run the handler without it would be to run it beside whoever has it next.
#[tokio::test]
async fn an_open_workflow_whose_claim_was_won_does_not_run_without_it() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    let pool = pool_of_one(&h).await;
    let store = PostgresStore::new(pool.clone());
    let runs = Arc::new(AtomicU32::new(0));
    let one = delivery(workflow(Mode::Leased, |w| w.outage_open()), "one")
        .then(Step::Count(Arc::clone(&runs)));
    let held = pool.acquire().await.expect("the one connection");
    // The pool is fair: the call gets the connection first, and the other when the claim is made.
    let (told, (), ()) = tokio::join!(
        call::<Postgres>(&store, &one),
        async {
            let taken = pool.acquire().await.expect("it is its turn");
            tokio::time::sleep(Duration::from_millis(300)).await;
            drop(taken);
        },
        async {
            tokio::task::yield_now().await;
            drop(held);
        },
    );
    assert!(
        matches!(&told, Err(Error::Store(e)) if e.kind() == StoreErrorKind::Transient),
        "{told:?}"
    );
    assert_eq!(runs.load(Ordering::SeqCst), 0);
    let told = until_told::<Postgres>(&store, &one).await;
    assert!(is_fresh(&told), "{told:?}");
    pool.close().await;
    h.close().await;
}

/// A standby answers questions and refuses writes, with the code of a session that is read-only.
#[tokio::test]
async fn a_server_that_takes_no_writes_runs_nothing_and_says_why() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    let known = delivery(workflow(Mode::Fused, |w| w), "known");
    assert!(is_fresh(&call::<Postgres>(h.store(), &known).await));
    let pool = h.1.pool_with("default_transaction_read_only", "on").await;
    let standby = PostgresStore::new(pool);
    assert!(is_replay(&call::<Postgres>(&standby, &known).await));
    let runs = Arc::new(AtomicU32::new(0));
    for mode in MODES {
        let one = delivery(workflow(mode, |w| w), "one").only([Step::Count(Arc::clone(&runs))]);
        let Err(Error::Store(error)) = call::<Postgres>(&standby, &one).await else {
            panic!("nothing can be claimed there");
        };
        assert_eq!(error.kind(), StoreErrorKind::Transient);
        assert!(
            error.to_string().contains("connect to the primary"),
            "{error}"
        );
    }
    assert_eq!(runs.load(Ordering::SeqCst), 0);
    standby.pool().close().await;
    h.close().await;
}

/// A server may speak any language: what an error means is in its code.
#[tokio::test]
async fn an_error_in_another_language_means_what_its_code_says() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    h.sql(
        "create function weigere() returns trigger language plpgsql as $$
         begin
             raise exception 'Sperre nicht verfügbar, Verbindung verloren, Schlüssel doppelt'
                 using errcode = current_setting('it.code');
         end $$;
         create trigger weigere before insert on processed_operations
         for each row execute function weigere()",
    )
    .await;
    let codes = [
        ("55P03", StoreErrorKind::Transient),
        ("53300", StoreErrorKind::Transient),
        ("57P03", StoreErrorKind::Connection),
        ("08006", StoreErrorKind::Connection),
        ("42501", StoreErrorKind::Permanent),
        ("23505", StoreErrorKind::Permanent),
    ];
    for (code, kind) in codes {
        let store = PostgresStore::new(h.1.pool_with("it.code", code).await);
        let mut one = delivery(workflow(Mode::Fused, |w| w), "one").only([]);
        one.id = code.to_owned();
        let told = call::<Postgres>(&store, &one).await;
        assert!(
            matches!(&told, Err(Error::Store(error)) if error.kind() == kind),
            "{code}: {told:?}"
        );
        store.pool().close().await;
    }
    h.close().await;
}

/// Whoever opens a new file changes it to WAL, which takes the whole file for a moment.
#[tokio::test]
async fn many_processes_open_one_new_file_at_once() {
    const FILE: &str = "IDEM_IT_OPENS";
    if let Some(file) = std::env::var_os(FILE) {
        let store = SqliteStore::open(file).await.expect("it opens");
        store.migrate().await.expect("the tables are made");
        store.pool().close().await;
        return;
    }
    let folder = tempfile::TempDir::new().expect("a scratch folder");
    let this = std::env::current_exe().expect("this program has a path");
    for round in 0..3 {
        let file = folder.path().join(format!("{round}.db"));
        let opening: Vec<_> = (0..8)
            .map(|_| {
                Command::new(&this)
                    .args([
                        "--exact",
                        "conformance::scarce::many_processes_open_one_new_file_at_once",
                    ])
                    .env(FILE, &file)
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .expect("it starts")
            })
            .collect();
        for one in opening {
            let ended = one.wait_with_output().expect("it ends");
            let said = String::from_utf8_lossy(&ended.stdout);
            assert!(
                ended.status.success() && said.contains("1 passed"),
                "{said}"
            );
        }
        let store = SqliteStore::open(&file).await.expect("it opens");
        store.check().await.expect("the tables are whole");
        store.pool().close().await;
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_opened_is_named_with_what_to_do() {
    let folder = tempfile::TempDir::new().expect("a scratch folder");
    let text = folder.path().join("text.db");
    std::fs::write(&text, "x".repeat(4096)).expect("it is written");
    for (path, hint) in [
        (folder.path().join("nowhere/it.db"), "create it"),
        (folder.path().to_owned(), "name a file in it"),
        (text, "it is no SQLite database"),
    ] {
        let error = SqliteStore::open(&path)
            .await
            .expect_err("it cannot be opened");
        assert_eq!(error.kind(), StoreErrorKind::Permanent, "{error}");
        let said = error.to_string();
        assert!(said.contains(&path.display().to_string()), "{said}");
        assert!(said.contains(hint), "{said}");
    }
}

/// The file may not grow any more in the middle of a handler's work.
#[tokio::test]
async fn a_full_disk_undoes_the_attempt_and_a_retry_does_the_work() {
    let h = Sqlite::fresh().await.expect("a file needs no server");
    for mode in MODES {
        for swallowed in [false, true] {
            let id: &'static str = format!("{mode:?} {swallowed}").leak();
            let big = "insert into effects values (hex(zeroblob(3000000)))";
            let step = if swallowed {
                Step::TrySql(big)
            } else {
                Step::Sql(big)
            };
            let full = SqlitePoolOptions::new()
                .connect_with(
                    SqliteConnectOptions::clone(&h.store().pool().connect_options())
                        .pragma("max_page_count", "30"),
                )
                .await
                .expect("it opens");
            let store = SqliteStore::new(full);
            let before = h.effects().await;
            let one = delivery(workflow(mode, |w| w), id);
            let told = call::<Sqlite>(&store, &one.clone().then(step)).await;
            store.pool().close().await;
            let done = row(h.store(), &one.key())
                .await
                .is_some_and(|row| row.0 == "done");
            assert_eq!(done, is_fresh(&told), "{id}: {told:?}");
            assert_eq!(h.effects().await, before + u64::from(done), "{id}");
            if !swallowed {
                assert!(matches!(told, Err(Error::Failed(_))), "{id}: {told:?}");
            }
            let told = call::<Sqlite>(h.store(), &one).await;
            assert_eq!(is_fresh(&told), !done, "{id}: {told:?}");
            assert_eq!(h.effects().await, before + 1, "{id}");
        }
    }
    h.close().await;
}

/// A pool in the old journal's mode, whose readers and writer lock each other out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pool_without_wal_is_told_busy_and_never_wrong() {
    let folder = tempfile::TempDir::new().expect("a scratch folder");
    let options = SqliteConnectOptions::new()
        .filename(folder.path().join("old.db"))
        .create_if_missing(true)
        .busy_timeout(Duration::from_millis(20));
    let pool = SqlitePoolOptions::new().connect_with(options).await;
    let store = SqliteStore::with_busy_timeout(pool.expect("it opens"), Duration::from_millis(20));
    store.migrate().await.expect("the tables are made");
    sqlx::raw_sql("create table effects (name text primary key)")
        .execute(store.pool())
        .await
        .expect("the business table is made");
    let mut reader = store.pool().begin().await.expect("it begins");
    sqlx::query("select count(*) from effects")
        .fetch_one(&mut *reader)
        .await
        .expect("the reader keeps its lock");
    for mode in MODES {
        let one = delivery(workflow(mode, |w| w), "one");
        let told = call::<Sqlite>(&store, &one).await;
        let told_so = is_busy(&told)
            || matches!(&told, Err(Error::Store(e)) if e.kind() == StoreErrorKind::Transient);
        assert!(told_so, "{told:?}");
    }
    drop(reader);
    let told = until_told::<Sqlite>(&store, &delivery(workflow(Mode::Fused, |w| w), "one")).await;
    assert!(is_fresh(&told), "{told:?}");
    assert_eq!(count(store.pool(), "effects").await, 1);
    store.pool().close().await;
}
