//! What a claim costs on Postgres, in exact counts: flights, log bytes and transaction ids.
//!
//! Flights are counted between client and server. Log bytes and transaction ids are the server's,
//! and other tests write meanwhile: noise only adds, so the least of many tries is the cost.

use std::str::FromStr as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use idem::{Mode, PostgresStore};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{PgPool, Row as _};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::harness::{Harness as _, PUT};
use super::script::{Delivery, Step, call, delivery, is_fresh, is_replay, workflow};
use super::stores::Postgres;

/// Relays to the server, and counts how often the client spoke after the server had.
pub(super) async fn counting_relay(server: (String, u16)) -> (u16, Arc<AtomicU32>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let flights = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&flights);
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let upstream = TcpStream::connect(server.clone()).await;
            let upstream = upstream.expect("the server listens");
            tokio::spawn(relay(client, upstream, Arc::clone(&count)));
        }
    });
    (port, flights)
}

async fn relay(mut client: TcpStream, mut server: TcpStream, flights: Arc<AtomicU32>) {
    let (mut asked, mut answered) = (vec![0; 65536], vec![0; 65536]);
    let mut servers_turn = false;
    loop {
        tokio::select! {
            read = client.read(&mut asked) => {
                let Ok(read @ 1..) = read else { return };
                if !servers_turn {
                    flights.fetch_add(1, Ordering::SeqCst);
                    servers_turn = true;
                }
                if server.write_all(&asked[..read]).await.is_err() { return }
            }
            read = server.read(&mut answered) => {
                let Ok(read @ 1..) = read else { return };
                servers_turn = false;
                if client.write_all(&answered[..read]).await.is_err() { return }
            }
        }
    }
}

/// A pool of one connection through the relay: a call begins when the one before has given its
/// connection back, so the counts of one are not those of another.
async fn counted(h: &Postgres) -> (PgPool, Arc<AtomicU32>) {
    let url = std::env::var("IDEM_TEST_POSTGRES_URL").expect("the harness has it");
    let server = PgConnectOptions::from_str(&url).expect("it is a URL");
    let (port, flights) = counting_relay((server.get_host().to_owned(), server.get_port())).await;
    let options = h.1.options().host("127.0.0.1").port(port);
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .test_before_acquire(false)
        .connect_with(options)
        .await
        .expect("the relay answers");
    (pool, flights)
}

/// Begin, write, commit: the handler's own work without us.
async fn bare(pool: &PgPool, name: &'static str) {
    let mut tx = pool.begin().await.expect("it begins");
    let put = sqlx::query(PUT).bind(name);
    put.execute(&mut *tx).await.expect("it writes");
    tx.commit().await.expect("it commits");
}

pub(super) fn named(flow: &'static idem::Workflow, name: String) -> (Delivery, &'static str) {
    let name: &'static str = name.leak();
    (delivery(flow, name), name)
}

/// How many flights there were when the pool's one connection was back from its last use.
async fn so_far(pool: &PgPool, flights: &AtomicU32) -> u32 {
    let mut connection = pool.acquire().await.expect("the connection is back");
    let count = flights.load(Ordering::SeqCst);
    connection.return_to_pool().await;
    count
}

/// How many flights a first call, a replay and a bare transaction took. Only the last round
/// counts: statements are prepared by then.
async fn flights_of(pool: &PgPool, flights: &AtomicU32, mode: Mode) -> [u32; 3] {
    // The driver pings whenever a connection is given back: once here, and once by each call.
    const PINGS: u32 = 2;
    let store = PostgresStore::new(pool.clone());
    let flow = workflow(mode, |w| w);
    let mut counts = [0; 3];
    for round in 0..3 {
        let (one, name) = named(flow, format!("{mode:?} {round}"));
        let before = so_far(pool, flights).await;
        assert!(is_fresh(&call::<Postgres>(&store, &one).await));
        let first = so_far(pool, flights).await;
        assert!(is_replay(&call::<Postgres>(&store, &one).await));
        let replay = so_far(pool, flights).await;
        bare(pool, format!("{name} bare").leak()).await;
        let bare = so_far(pool, flights).await;
        counts = [first - before, replay - first, bare - replay].map(|flights| flights - PINGS);
    }
    counts
}

#[tokio::test]
async fn a_replay_is_one_flight_and_a_fused_call_two_more_than_its_handler() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    let (pool, flights) = counted(&h).await;
    let [first, replay, bare] = flights_of(&pool, &flights, Mode::Fused).await;
    assert_eq!(bare, 3, "begin, write, commit");
    assert_eq!(replay, 1);
    // Begin and lock; read under the lock; the handler's write; the row; commit.
    assert_eq!(first, bare + 2);
    let [first, replay, bare] = flights_of(&pool, &flights, Mode::Leased).await;
    assert_eq!(replay, 1);
    // Read; claim; begin; the handler's write; completion; commit. The connection goes back to the
    // pool in between, which is one more of the driver's pings, in nobody's way.
    assert_eq!(first, bare + 3 + 1);
    pool.close().await;
    h.close().await;
}

/// Log bytes and transaction ids that the server has used so far.
async fn used(pool: &PgPool) -> (i64, i64) {
    let row = sqlx::query(
        "select (pg_current_wal_insert_lsn() - '0/0')::bigint,
                pg_snapshot_xmax(pg_current_snapshot())::text::bigint",
    )
    .fetch_one(pool)
    .await
    .expect("the server says so");
    (row.get(0), row.get(1))
}

#[tokio::test]
async fn a_replay_writes_nothing_and_a_call_little() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    let pool = h.store().pool();
    let (fused, leased) = (workflow(Mode::Fused, |w| w), workflow(Mode::Leased, |w| w));
    // Bytes and ids of: a bare transaction, a fused call, a leased call, a replay.
    let mut least = [(i64::MAX, i64::MAX); 4];
    for round in 0..150 {
        let mut seen = vec![used(pool).await];
        bare(pool, format!("bare {round}").leak()).await;
        seen.push(used(pool).await);
        for flow in [fused, leased] {
            let (one, _) = named(flow, format!("{:?} {round}", flow.claim_mode()));
            assert!(is_fresh(&call::<Postgres>(h.store(), &one).await));
            seen.push(used(pool).await);
        }
        let known = delivery(fused, "Fused 0").only([Step::Hang]);
        assert!(is_replay(&call::<Postgres>(h.store(), &known).await));
        seen.push(used(pool).await);
        for (least, pair) in least.iter_mut().zip(seen.windows(2)) {
            least.0 = least.0.min(pair[1].0 - pair[0].0);
            least.1 = least.1.min(pair[1].1 - pair[0].1);
        }
    }
    let [bare, fused, leased, replay] = least;
    assert_eq!(replay, (0, 0), "bytes and ids of a replay");
    assert_eq!((bare.1, fused.1, leased.1), (1, 1, 2), "commits");
    assert!(
        fused.0 - bare.0 <= 550,
        "{} bytes beside the handler's",
        fused.0 - bare.0
    );
    assert!(
        leased.0 - bare.0 <= 800,
        "{} bytes beside the handler's",
        leased.0 - bare.0
    );
    h.close().await;
}
