//! What a claim costs on MariaDB, in exact counts: flights and bytes of redo log.
//!
//! Flights are counted between client and server. Bytes are the server's, and other tests write
//! meanwhile: noise only adds, so the least of many tries is the cost.

use std::str::FromStr as _;
use std::sync::atomic::{AtomicU32, Ordering};

use idem::{Mode, MysqlStore};
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
use sqlx::{MySqlPool, Row as _};

use super::costs::{counting_relay, named};
use super::harness::{Harness as _, PUT_IN_PLACE};
use super::script::{Step, call, delivery, is_fresh, is_replay, workflow};
use super::stores::Mysql;

/// Begin, write, commit: the handler's own work without us.
async fn bare(pool: &MySqlPool, name: &str) {
    let mut tx = pool.begin().await.expect("it begins");
    let put = sqlx::query(PUT_IN_PLACE).bind(name);
    put.execute(&mut *tx).await.expect("it writes");
    tx.commit().await.expect("it commits");
}

/// How many flights there were when the pool's one connection was back from its last use.
async fn so_far(pool: &MySqlPool, flights: &AtomicU32) -> u32 {
    let mut connection = pool.acquire().await.expect("the connection is back");
    let count = flights.load(Ordering::SeqCst);
    connection.return_to_pool().await;
    count
}

/// How many flights a first call, a replay and a bare transaction took. Only the last round
/// counts: statements are prepared by then.
async fn flights_of(pool: &MySqlPool, flights: &AtomicU32, mode: Mode) -> [u32; 3] {
    // The driver pings whenever a connection is given back: once here, and once by each call.
    const PINGS: u32 = 2;
    let store = MysqlStore::new(pool.clone());
    let flow = workflow(mode, |w| w);
    let mut counts = [0; 3];
    for round in 0..3 {
        let (one, name) = named(flow, format!("{mode:?} {round}"));
        let before = so_far(pool, flights).await;
        assert!(is_fresh(&call::<Mysql>(&store, &one).await));
        let first = so_far(pool, flights).await;
        assert!(is_replay(&call::<Mysql>(&store, &one).await));
        let replay = so_far(pool, flights).await;
        bare(pool, &format!("{name} bare")).await;
        let bare = so_far(pool, flights).await;
        counts = [first - before, replay - first, bare - replay].map(|flights| flights - PINGS);
    }
    counts
}

#[tokio::test]
async fn a_replay_is_one_flight_and_a_call_four_more_than_its_handler() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    let url = std::env::var("IDEM_TEST_MYSQL_URL").expect("the harness has it");
    let server = MySqlConnectOptions::from_str(&url).expect("it is a URL");
    let relayed = (server.get_host().to_owned(), server.get_port());
    let (port, flights) = counting_relay(relayed).await;
    let pool = MySqlPoolOptions::new()
        .max_connections(1)
        .test_before_acquire(false)
        .connect_with(h.1.options().host("127.0.0.1").port(port))
        .await
        .expect("the relay answers");
    let [first, replay, bare] = flights_of(&pool, &flights, Mode::Fused).await;
    assert_eq!(bare, 3, "begin, write, commit");
    assert_eq!(replay, 1);
    // Read; begin and lock; read under the lock; the handler's write; seal; the row; commit and let
    // go. With the ping the driver ends its own count of transactions, in nobody's way.
    assert_eq!(first, bare + 4 + 1);
    let [first, replay, bare] = flights_of(&pool, &flights, Mode::Leased).await;
    assert_eq!(replay, 1);
    // Read; claim; begin; the handler's write; seal; completion; commit. The claim's lock is let go and
    // the connection goes back to the pool in between, as much in nobody's way.
    assert_eq!(first, bare + 4 + 1 + 2);
    pool.close().await;
    h.close().await;
}

/// How far the redo log has come.
async fn logged(pool: &MySqlPool) -> i64 {
    let row = sqlx::query("show global status like 'Innodb_lsn_current'")
        .fetch_one(pool)
        .await
        .expect("the server says so");
    let position: String = row.get(1);
    position.parse().expect("it is a number")
}

#[tokio::test]
async fn a_replay_writes_nothing_and_a_call_little() {
    let Some(h) = Mysql::fresh().await else {
        return;
    };
    let pool = h.store().pool();
    let (fused, leased) = (workflow(Mode::Fused, |w| w), workflow(Mode::Leased, |w| w));
    // Bytes of: a bare transaction, a fused call, a leased call, a replay.
    let mut least = [i64::MAX; 4];
    for round in 0..150 {
        let mut seen = vec![logged(pool).await];
        bare(pool, &format!("bare {round}")).await;
        seen.push(logged(pool).await);
        for flow in [fused, leased] {
            let (one, _) = named(flow, format!("{:?} {round}", flow.claim_mode()));
            assert!(is_fresh(&call::<Mysql>(h.store(), &one).await));
            seen.push(logged(pool).await);
        }
        let known = delivery(fused, "Fused 0").only([Step::Hang]);
        assert!(is_replay(&call::<Mysql>(h.store(), &known).await));
        seen.push(logged(pool).await);
        for (least, pair) in least.iter_mut().zip(seen.windows(2)) {
            *least = (*least).min(pair[1] - pair[0]);
        }
    }
    let [bare, fused, leased, replay] = least;
    assert_eq!(replay, 0, "bytes of a replay");
    assert!(fused - bare <= 400, "{} beside the handler's", fused - bare);
    assert!(
        leased - bare <= 900,
        "{} beside the handler's",
        leased - bare
    );
    h.close().await;
}
