//! Sweeping on Postgres: what it costs the claims beside it, and how fast it is without a rest.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use idem::postgres::{PostgresStore, Tx};
use idem::{Failure, Outcome, Sweeper};
use serde::{Deserialize, Serialize};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool};

use crate::Problem;
use crate::ratio::{Series, Target, report};

/// Clients that claim meanwhile.
const CLIENTS: usize = 8;

/// Rows past their window, as many as a paced sweep does not finish within a slice.
const ROWS: i64 = 400_000;

/// Makes rows past their window, each as a finished refund leaves it.
const FILL: &str = "
    insert into processed_operations (
        idempotency_key, workflow, contract_version, status, request_hash, hash_recipe, field_digests,
        completed_at, expires_at, response_kind, response, response_version
    )
    select
        'sweep:v1:' || $1 || ':' || number, 'sweep', 1, 'done', sha256(number::text::bytea), 1, '\\x0000',
        now() - interval '31 days', now() - interval '1 day', 'value', '\\x7b7d', 1
    from generate_series(1, $2) as number";

#[derive(Serialize)]
struct Order {
    id: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Booked;

#[derive(Debug, Failure)]
enum BookError {
    #[failure(transparent)]
    Store(sqlx::Error),
}

impl std::fmt::Display for BookError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the order was not booked")
    }
}

impl std::error::Error for BookError {}

#[idem::idempotent(
    workflow = "claim", key = (event.id), hash = "none",
    lease = "30s", window = "1d", max_attempts = 5
)]
async fn book(tx: &mut Tx<'_>, event: &Order) -> Result<Booked, BookError> {
    sqlx::query("insert into orders (id) values ($1)")
        .bind(&event.id)
        .execute(&mut **tx)
        .await
        .map_err(BookError::Store)?;
    Ok(Booked)
}

/// Measures where a server is named.
pub(crate) fn run(words: &[&str]) -> Result<(), Problem> {
    let (rounds, slice) = match words {
        [] => (5, Duration::from_millis(2_500)),
        ["--quick"] => (3, Duration::from_millis(1_000)),
        [other, ..] => return Err(format!("{other} is no option; there is --quick").into()),
    };
    let Ok(url) = std::env::var("IDEM_TEST_POSTGRES_URL") else {
        println!("not measured: Postgres (IDEM_TEST_POSTGRES_URL is not set)");
        return Ok(());
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let options: PgConnectOptions = url.parse()?;
        let name = format!("idem_sweep_{}", std::process::id());
        let mut admin = PgConnection::connect_with(&options).await?;
        sqlx::query(AssertSqlSafe(format!("create database {name}")))
            .execute(&mut admin)
            .await?;
        let pool = PgPoolOptions::new()
            .max_connections(CLIENTS as u32 + 2)
            .test_before_acquire(false)
            .connect_with(options.database(&name))
            .await?;
        let done = measure(&pool, rounds, slice).await;
        pool.close().await;
        sqlx::query(AssertSqlSafe(format!("drop database {name}")))
            .execute(&mut admin)
            .await?;
        done
    })
}

async fn measure(pool: &PgPool, rounds: usize, slice: Duration) -> Result<(), Problem> {
    let store = PostgresStore::new(pool.clone());
    idem::Store::migrate(&store).await?;
    sqlx::query("create table orders (id text primary key)")
        .execute(pool)
        .await?;
    let numbers = Arc::new(AtomicU64::new(0));
    claims(&store, &numbers, slice / 5).await?;
    let (mut rate, mut beside) = (Series::default(), Series::default());
    let (mut p99, mut beside_p99) = (Series::default(), Series::default());
    let mut unpaced = Series::default();
    for round in 0..rounds {
        fill(pool, round).await?;
        let (alone, alone_p99) = claims(&store, &numbers, slice).await?;
        let sweeper = Sweeper::new(store.clone());
        let stop = Arc::new(AtomicBool::new(false));
        let sweeping = {
            let (sweeper, stop) = (sweeper.clone(), Arc::clone(&stop));
            tokio::spawn(async move {
                // Until it is aborted: there are more rows than a slice is long enough for.
                while !stop.load(Ordering::Relaxed) {
                    sweeper.sweep(|_| ()).await?;
                }
                Ok::<_, idem::StoreError>(())
            })
        };
        let (with, with_p99) = claims(&store, &numbers, slice).await?;
        stop.store(true, Ordering::Relaxed);
        sweeping.abort();
        rate.push(alone);
        beside.push(with);
        p99.push(alone_p99);
        beside_p99.push(with_p99);
        let started = Instant::now();
        let swept = sweeper.pause(Duration::ZERO).sweep(|_| ()).await?;
        unpaced.push(swept.rows as f64 / started.elapsed().as_secs_f64());
    }
    println!("Postgres, {CLIENTS} clients claiming beside a paced sweep:");
    report(
        "claims: with a sweep / without",
        beside.over(&rate),
        Target::AtLeast(0.9),
    );
    report(
        "p99: with a sweep / without",
        beside_p99.over(&p99),
        Target::AtMost(2.5),
    );
    println!("Postgres, nobody beside it:");
    report(
        "rows a second without a rest",
        unpaced.median(),
        Target::AtLeast(150_000.0),
    );
    Ok(())
}

async fn fill(pool: &PgPool, round: usize) -> Result<(), Problem> {
    sqlx::query(FILL)
        .bind(round.to_string())
        .bind(ROWS)
        .execute(pool)
        .await?;
    sqlx::query("analyze processed_operations")
        .execute(pool)
        .await?;
    sqlx::query("checkpoint").execute(pool).await?;
    Ok(())
}

/// Claims a second, and the 99th percentile of their latencies in seconds.
async fn claims(
    store: &PostgresStore,
    numbers: &Arc<AtomicU64>,
    lasting: Duration,
) -> Result<(f64, f64), Problem> {
    let begun = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..CLIENTS {
        let (store, numbers) = (store.clone(), Arc::clone(numbers));
        tasks.spawn(async move {
            let mut latencies = Vec::new();
            while begun.elapsed() < lasting {
                let number = numbers.fetch_add(1, Ordering::Relaxed);
                let order = Order {
                    id: format!("order-{number}"),
                };
                let started = Instant::now();
                let told = book(&store, &order).await?;
                if !matches!(told, Outcome::Fresh(_)) {
                    return Err(format!("expected a fresh answer: {told:?}").into());
                }
                latencies.push(started.elapsed().as_secs_f64());
            }
            Ok::<_, Problem>(latencies)
        });
    }
    let mut all = Vec::new();
    while let Some(client) = tasks.join_next().await {
        all.extend(client??);
    }
    let took = begun.elapsed().as_secs_f64();
    all.sort_by(f64::total_cmp);
    let p99 = all.get(all.len() * 99 / 100).copied().unwrap_or(f64::NAN);
    Ok((all.len() as f64 / took, p99))
}
