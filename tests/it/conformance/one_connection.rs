//! SQLite pools that a user may hand in: one connection alone, in memory, in rollback-journal mode.

use std::sync::Arc;

use idem::{SqliteStore, Store as _};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions};
use tokio::sync::Notify;

use super::harness::run;
use super::script::{
    MODES, Step, call, delivery, is_busy, is_fresh, is_replay, spawn, until_told, workflow,
};
use super::stores::Sqlite;

async fn with_tables(pool: sqlx::SqlitePool) -> SqliteStore {
    let store = SqliteStore::new(pool);
    store.migrate().await.expect("the tables are made");
    store.check().await.expect("they are whole");
    run(store.pool(), "create table effects (name text primary key)").await;
    store
}

#[tokio::test]
async fn a_pool_of_one_connection_in_memory_serves_a_whole_claim() {
    let options = SqliteConnectOptions::new().in_memory(true);
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .connect_with(options);
    let store = with_tables(pool.await.expect("it opens")).await;
    for mode in MODES {
        let id = if mode == idem::Mode::Fused {
            "fused"
        } else {
            "leased"
        };
        let flow = workflow(mode, |w| w);
        let failing = delivery(flow, id).then(Step::FailFirst(super::script::Oops::TryAgain));
        assert!(call::<Sqlite>(&store, &failing).await.is_err());
        assert!(is_fresh(&call::<Sqlite>(&store, &failing).await));
        assert!(is_replay(&call::<Sqlite>(&store, &failing).await));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_loser_needs_no_connection_to_be_told() {
    let options = SqliteConnectOptions::new().in_memory(true);
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .connect_with(options);
    let store = with_tables(pool.await.expect("it opens")).await;
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let one = delivery(workflow(idem::Mode::Fused, |w| w), "one");
    let working = one
        .clone()
        .then(Step::Tell(Arc::clone(&begun)))
        .then(Step::Await(Arc::clone(&go_on)));
    let winner = spawn::<Sqlite>(&store, &working);
    begun.notified().await;
    assert!(is_busy(&call::<Sqlite>(&store, &one).await));
    go_on.notify_one();
    assert!(is_fresh(&winner.await.expect("the winner ends")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rollback_journal_serves_a_race_as_the_log_does() {
    let folder = tempfile::TempDir::new().expect("a scratch folder");
    let options = SqliteConnectOptions::new()
        .filename(folder.path().join("old.db"))
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Delete);
    let pool = SqlitePoolOptions::new().connect_with(options).await;
    let store = with_tables(pool.expect("it opens")).await;
    for mode in MODES {
        let id = if mode == idem::Mode::Fused {
            "fused"
        } else {
            "leased"
        };
        let one = delivery(workflow(mode, |w| w), id);
        let calls: Vec<_> = (0..8)
            .map(|_| {
                let (store, one) = (store.clone(), one.clone());
                tokio::spawn(async move { until_told::<Sqlite>(&store, &one).await })
            })
            .collect();
        let mut fresh = 0;
        for call in calls {
            let told = call.await.expect("a caller ends");
            assert!(is_fresh(&told) || is_replay(&told), "{told:?}");
            fresh += u32::from(is_fresh(&told));
        }
        assert_eq!(fresh, 1);
    }
    assert_eq!(super::harness::count(store.pool(), "effects").await, 2);
    store.pool().close().await;
}
