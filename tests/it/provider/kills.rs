//! A process that is killed at every point of an effect, and what the next one does.

use std::process::Stdio;
use std::str::FromStr as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use idem::{MysqlStore, Observer, Outcome, Point, PostgresStore, SqliteStore};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Command;

use super::handlers::{self, Renewal, Renews};
use super::server::Provider;
use crate::conformance::against_every_database;
use crate::conformance::harness::Speaks;

against_every_database! {
    killed_before_the_card_is_charged,
    killed_after_the_card_is_charged_and_before_that_is_recorded,
    killed_after_the_charge_is_recorded,
    killed_before_the_mail_is_sent,
    killed_after_the_mail_is_sent_and_before_that_is_recorded,
    killed_after_the_mail_is_recorded,
    killed_before_the_commit,
    killed_after_the_commit,
}

/// Says what a child has to do: database, provider, point, and which passing of the point counts.
const JOB: &str = "IDEM_IT_RENEWAL";
/// What a child prints when it stands at its point.
const STANDS: &str = "stands at its point";

const POINTS: [(&str, Point); 5] = [
    ("before", Point::BeforeEffect),
    ("after", Point::AfterEffect),
    ("recorded", Point::EffectRecorded),
    ("before-commit", Point::BeforeCommit),
    ("after-commit", Point::AfterCommit),
];

/// Stands still at a point for ever.
struct StandsAt {
    point: Point,
    passings: AtomicU32,
}

impl Observer for StandsAt {
    #[expect(clippy::print_stdout, reason = "the parent reads it")]
    fn at(&self, point: Point) {
        if point == self.point && self.passings.fetch_sub(1, Ordering::SeqCst) == 1 {
            println!("{STANDS}");
            loop {
                std::thread::park();
            }
        }
    }
}

/// The child's side; without a parent there is nothing to do.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_child_renews_what_its_parent_asks_for() {
    let Ok(job) = std::env::var(JOB) else {
        return;
    };
    let words: Vec<&str> = job.split('|').collect();
    let [database, place, provider, point, passing] = words[..] else {
        panic!("{job}");
    };
    let (_, point) = POINTS
        .into_iter()
        .find(|(name, _)| *name == point)
        .expect("a point");
    let stands = Arc::new(StandsAt {
        point,
        passings: AtomicU32::new(passing.parse().expect("a number")),
    });
    let provider = provider.parse().expect("an address");
    let told = if database == "sqlite" {
        let store = SqliteStore::open(place).await.expect("it opens");
        handlers::sqlite::renew(&store.observed(stands), &Renewal::of(1), provider).await
    } else if database == "mysql" {
        let url = std::env::var("IDEM_TEST_MYSQL_URL").expect("the parent has it");
        let options = sqlx::mysql::MySqlConnectOptions::from_str(&url)
            .expect("a URL")
            .database(place);
        let pool = sqlx::MySqlPool::connect_with(options).await;
        let store = MysqlStore::new(pool.expect("it connects"));
        handlers::mysql::renew(&store.observed(stands), &Renewal::of(1), provider).await
    } else {
        let url = std::env::var("IDEM_TEST_POSTGRES_URL").expect("the parent has it");
        let options = sqlx::postgres::PgConnectOptions::from_str(&url)
            .expect("a URL")
            .options([("search_path", place)]);
        let pool = sqlx::PgPool::connect_with(options).await;
        let store = PostgresStore::new(pool.expect("it connects"));
        handlers::postgres::renew(&store.observed(stands), &Renewal::of(1), provider).await
    };
    panic!("it came to its end: {told:?}");
}

/// Where a harness's data are, as a child is told.
async fn place<H: Renews>(h: &H) -> String {
    let statement = match H::SPEAKS {
        Speaks::Sqlite => "select file from pragma_database_list where name = 'main'",
        Speaks::Postgres => "select current_schema()::text",
        Speaks::Mysql => "select database()",
        Speaks::Nothing => panic!("no other process can be given that"),
    };
    h.text(statement).await
}

/// A provider, and a child that was killed at that passing of a point.
async fn killed<H: Renews>(h: &H, point: &str, passing: u32) -> Provider {
    let provider = Provider::start().await;
    let database = match H::SPEAKS {
        Speaks::Sqlite => "sqlite",
        Speaks::Mysql => "mysql",
        Speaks::Postgres | Speaks::Nothing => "postgres",
    };
    let (place, address) = (place(h).await, provider.address);
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args([
            "provider::kills::a_child_renews_what_its_parent_asks_for",
            "--exact",
            "--nocapture",
        ])
        .env(
            JOB,
            format!("{database}|{place}|{address}|{point}|{passing}"),
        )
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("a child");
    let stdout = child.stdout.take().expect("a pipe");
    let mut lines = BufReader::new(stdout).lines();
    let standing = async {
        while let Some(line) = lines.next_line().await.expect("it reads") {
            if line.contains(STANDS) {
                return true;
            }
        }
        false
    };
    let patience = Duration::from_secs(60);
    let stands = tokio::time::timeout(patience, standing).await;
    assert_eq!(stands, Ok(true), "the child does not come to its point");
    child.kill().await.expect("it dies");
    provider
}

/// The next delivery, once the lease is over.
async fn after_the_lease<H: Renews>(h: &H, provider: &Provider) -> handlers::Renewed {
    let told = H::renew(h.store(), &Renewal::of(1), provider.address).await;
    assert!(matches!(told, Ok(Outcome::Busy { .. })), "{told:?}");
    h.age(Duration::from_secs(121)).await;
    H::renew(h.store(), &Renewal::of(1), provider.address).await
}

/// The second attempt finishes the work: one charge, one mail, one invoice, and the charge answered
/// from the provider's memory that often.
async fn resumes<H: Renews>(h: &H, provider: &Provider, replays: u32) {
    let told = after_the_lease(h, provider).await;
    assert!(
        matches!(&told, Ok(Outcome::Fresh(answer))
            if answer.attempt() == 2 && answer.value.charge == "ch_1"),
        "{told:?}"
    );
    assert_eq!((provider.charges().len(), provider.mails()), (1, 1));
    assert_eq!((provider.replays(), h.effects().await), (replays, 1));
}

/// Nobody knows whether the mail went out: no second one is sent, however often it is delivered.
async fn is_for_a_person<H: Renews>(h: &H, provider: &Provider, mails: usize) {
    let told = after_the_lease(h, provider).await;
    for told in [
        told,
        H::renew(h.store(), &Renewal::of(1), provider.address).await,
    ] {
        assert!(
            matches!(&told, Ok(Outcome::Ambiguous { reason }) if reason.contains("receipt-mail")),
            "{told:?}"
        );
    }
    assert_eq!((provider.charges().len(), provider.mails()), (1, mails));
    assert_eq!(h.effects().await, 0);
}

async fn killed_before_the_card_is_charged<H: Renews>(h: &H) {
    let provider = killed(h, "before", 1).await;
    assert_eq!(provider.charges().len(), 0);
    resumes(h, &provider, 0).await;
}

async fn killed_after_the_card_is_charged_and_before_that_is_recorded<H: Renews>(h: &H) {
    let provider = killed(h, "after", 1).await;
    assert_eq!(provider.charges().len(), 1);
    resumes(h, &provider, 1).await;
}

async fn killed_after_the_charge_is_recorded<H: Renews>(h: &H) {
    let provider = killed(h, "recorded", 1).await;
    resumes(h, &provider, 0).await;
}

async fn killed_before_the_mail_is_sent<H: Renews>(h: &H) {
    let provider = killed(h, "before", 2).await;
    is_for_a_person(h, &provider, 0).await;
}

async fn killed_after_the_mail_is_sent_and_before_that_is_recorded<H: Renews>(h: &H) {
    let provider = killed(h, "after", 2).await;
    is_for_a_person(h, &provider, 1).await;
}

async fn killed_after_the_mail_is_recorded<H: Renews>(h: &H) {
    let provider = killed(h, "recorded", 2).await;
    assert_eq!(provider.mails(), 1);
    resumes(h, &provider, 0).await;
}

async fn killed_before_the_commit<H: Renews>(h: &H) {
    let provider = killed(h, "before-commit", 1).await;
    assert_eq!((provider.mails(), h.effects().await), (1, 0));
    resumes(h, &provider, 0).await;
}

async fn killed_after_the_commit<H: Renews>(h: &H) {
    let provider = killed(h, "after-commit", 1).await;
    let told = H::renew(h.store(), &Renewal::of(1), provider.address).await;
    assert!(matches!(told, Ok(Outcome::Replay(_))), "{told:?}");
    assert_eq!((provider.charges().len(), provider.mails()), (1, 1));
    assert_eq!(h.effects().await, 1);
}
