//! A proxy in front of the server that is gone from one statement on: the connection is cut before
//! the statement arrives, or when it is executed and its answer is on the way back. Afterwards nobody
//! reaches the server through it until it is mended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use idem::{Error, Mode, PostgresStore, StoreErrorKind};
use sqlx::postgres::PgPoolOptions;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::harness::{Harness as _, row};
use super::script::*;
use super::stores::Postgres;

/// The statement that meets the outage.
#[derive(Clone, Copy, Debug)]
enum At {
    /// Takes the key, in either mode.
    Claim,
    /// The transaction's end.
    Commit,
}

impl At {
    /// What only its text holds: the driver speaks of `COMMIT`, our files of `commit`.
    const fn text(self) -> &'static [u8] {
        match self {
            Self::Claim => b"pg_try_advisory_xact_lock",
            Self::Commit => b"COMMIT",
        }
    }
}

/// What becomes of the statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    /// It never arrives.
    Before,
    /// It is executed, and its answer is lost.
    After,
}

/// A server that can be lost.
struct Proxy {
    port: u16,
    lost: watch::Sender<bool>,
    met: Arc<AtomicBool>,
}

/// What happens, and where.
#[derive(Clone, Copy)]
struct Plan {
    at: At,
    cut: Cut,
    /// Whether its text is sent for preparation first, and it is executed by the message after that.
    prepared: bool,
}

impl Proxy {
    async fn before(server: (String, u16), plan: Plan) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("it is bound").port();
        let (lost, _) = watch::channel(false);
        let met = Arc::new(AtomicBool::new(false));
        let (sender, passed) = (lost.clone(), Arc::clone(&met));
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                if *sender.borrow() {
                    continue;
                }
                let Ok(server) = TcpStream::connect((server.0.as_str(), server.1)).await else {
                    return;
                };
                let (sender, passed) = (sender.clone(), Arc::clone(&passed));
                tokio::spawn(relay(client, server, plan, sender, passed));
            }
        });
        Self { port, lost, met }
    }

    /// The server is there again, and nothing is cut any more.
    fn mend(&self) {
        assert!(self.met.load(Ordering::SeqCst), "no statement was cut");
        self.lost.send_replace(false);
    }
}

/// Passes messages on until the plan's statement comes, or the server is lost.
async fn relay(
    mut client: TcpStream,
    mut server: TcpStream,
    plan: Plan,
    lost: watch::Sender<bool>,
    met: Arc<AtomicBool>,
) {
    let mut told = lost.subscribe();
    let (mut from_client, mut from_server) = (vec![0; 16_384], vec![0; 16_384]);
    let mut is_prepared = false;
    loop {
        tokio::select! {
            read = client.read(&mut from_client) => {
                let Ok(length @ 1..) = read else { return };
                let sent = &from_client[..length];
                let text = plan.at.text();
                let named = sent.windows(text.len()).any(|part| part == text);
                let comes = is_prepared || (named && !plan.prepared);
                is_prepared = named && plan.prepared;
                if !comes || met.swap(true, Ordering::SeqCst) {
                    if server.write_all(sent).await.is_err() {
                        return;
                    }
                    continue;
                }
                if plan.cut == Cut::After {
                    server.write_all(sent).await.expect("the server takes it");
                    let answer = server.read(&mut from_server).await;
                    assert!(answer.expect("the server answers") > 0, "it hung up");
                }
                lost.send_replace(true);
                return;
            }
            read = server.read(&mut from_server) => {
                let Ok(length @ 1..) = read else { return };
                if client.write_all(&from_server[..length]).await.is_err() {
                    return;
                }
            }
            () = async { told.wait_for(|lost| *lost).await.ok(); } => return,
        }
    }
}

/// What the next callers are told, once the server is there again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    /// Nothing had happened: the work is done at the first attempt.
    AsIfNew,
    /// Only the claim had: others are busy until its lease is over, then it is taken over.
    LeaseDecides,
    /// All of it had: its result is replayed.
    Replayed,
}

/// Delivers through an outage, and afterwards again.
async fn outage(mode: Mode, at: At, cut: Cut, then: Then) {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    let options = h.1.options();
    let server = (options.get_host().to_owned(), options.get_port());
    let prepared = matches!((at, mode), (At::Claim, Mode::Leased));
    let proxy = Proxy::before(server, Plan { at, cut, prepared }).await;
    let pool = PgPoolOptions::new()
        .test_before_acquire(false)
        .acquire_timeout(Duration::from_secs(2))
        .connect_with(options.host("127.0.0.1").port(proxy.port))
        .await
        .expect("the server answers through the proxy");
    let store = PostgresStore::new(pool);
    let flow = workflow(mode, |w| w);
    let one = delivery(flow, "one");

    let told = call::<Postgres>(&store, &one).await;
    let what = format!("{mode:?}, {cut:?} {at:?}");
    assert!(
        matches!(&told, Err(Error::Store(error)) if error.kind() == StoreErrorKind::Connection),
        "{what}: {told:?}"
    );
    // A server notices a client that is gone when it reads from it next, which is at once.
    let (status, effects) = match then {
        Then::AsIfNew => (None, 0),
        Then::LeaseDecides => (Some(("in_flight", 1)), 0),
        Then::Replayed => (Some(("done", 1)), 1),
    };
    let found = row(h.store(), &one.key()).await;
    let found = found.map(|(status, attempt, _)| (status, attempt));
    assert_eq!(found, status, "{what}");
    assert_eq!(h.effects().await, effects, "{what}");

    proxy.mend();
    let told = match then {
        Then::AsIfNew => until_told::<Postgres>(&store, &one).await,
        Then::LeaseDecides => {
            let told = call::<Postgres>(&store, &one).await;
            assert!(is_busy(&told), "{what}: {told:?}");
            h.age(Duration::from_secs(61)).await;
            call::<Postgres>(&store, &one).await
        }
        Then::Replayed => call::<Postgres>(&store, &one).await,
    };
    assert_eq!(is_replay(&told), then == Then::Replayed, "{what}: {told:?}");
    assert_eq!(is_fresh(&told), then != Then::Replayed, "{what}: {told:?}");
    assert_eq!(h.effects().await, 1, "{what}");
    store.pool().close().await;
    h.close().await;
}

#[tokio::test]
async fn an_outage_before_the_claim_leaves_nothing() {
    for mode in MODES {
        outage(mode, At::Claim, Cut::Before, Then::AsIfNew).await;
    }
}

#[tokio::test]
async fn a_claim_whose_answer_is_lost_leaves_nothing_fused_and_is_left_to_its_lease_leased() {
    outage(Mode::Fused, At::Claim, Cut::After, Then::AsIfNew).await;
    outage(Mode::Leased, At::Claim, Cut::After, Then::LeaseDecides).await;
}

#[tokio::test]
async fn an_outage_before_the_commit_undoes_the_work() {
    outage(Mode::Fused, At::Commit, Cut::Before, Then::AsIfNew).await;
    outage(Mode::Leased, At::Commit, Cut::Before, Then::LeaseDecides).await;
}

#[tokio::test]
async fn a_commit_whose_answer_is_lost_is_replayed() {
    for mode in MODES {
        outage(mode, At::Commit, Cut::After, Then::Replayed).await;
    }
}
