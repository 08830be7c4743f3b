//! The soak: worker processes that use the attribute on Postgres, killed, stopped past their lease
//! and handed duplicates, while finished rows are swept; at the end a ledger is held against the list
//! of deliveries.

mod audit;
mod delivery;
mod driver;
mod handlers;
mod process;
mod random;
mod worker;

use std::fmt;
use std::str::FromStr as _;
use std::time::Duration;

use idem::{PostgresStore, Store as _};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, PgPool};

pub use self::audit::Audit;
use self::driver::Driver;
use self::handlers::Twin;

/// Why a soak could not be run to its end.
pub type Problem = Box<dyn std::error::Error + Send + Sync>;

/// The window of the brief workflows.
const BRIEF_MS: i64 = 2_000;

/// How much is done.
#[derive(Clone, Debug)]
pub struct Options {
    /// At most so many operations,
    pub operations: u64,
    /// begun within that time.
    pub time: Duration,
    /// Repeats the choices; what the machine makes of them differs.
    pub seed: u64,
    twin: Option<Twin>,
}

impl Options {
    /// So many operations at most, begun within that time; a seed repeats the choices.
    #[must_use]
    pub const fn new(operations: u64, time: Duration, seed: u64) -> Self {
        Self {
            operations,
            time,
            seed,
            twin: None,
        }
    }

    /// The same with a broken handler.
    ///
    /// **Errors**: there is no twin of that name.
    pub fn broken(mut self, name: &str) -> Result<Self, Problem> {
        let twin = Twin::named(name).ok_or_else(|| {
            let names = Twin::ALL.map(Twin::name).join(", ");
            format!("there is no twin `{name}`; write one of: {names}")
        })?;
        self.twin = Some(twin);
        Ok(self)
    }
}

/// Where the soak takes place.
struct Place {
    url: String,
    schema: String,
}

impl Place {
    async fn pool(&self, most: u32) -> Result<PgPool, Problem> {
        let options =
            PgConnectOptions::from_str(&self.url)?.options([("search_path", self.schema.as_str())]);
        let pool = PgPoolOptions::new()
            .max_connections(most)
            .test_before_acquire(false)
            .connect_with(options)
            .await?;
        Ok(pool)
    }

    /// Runs a statement about the schema itself.
    async fn schema(&self, statement: &str) -> Result<(), Problem> {
        const MARKED: &str = "/*name*/ soak /*name*/";
        let options = PgConnectOptions::from_str(&self.url)?;
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .connect_with(options)
            .await?;
        // Safe as SQL: the name is ours, letters and digits.
        let statement = AssertSqlSafe(statement.replace(MARKED, &self.schema));
        sqlx::raw_sql(statement).execute(&pool).await?;
        pool.close().await;
        Ok(())
    }
}

/// What happened.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    operations: u64,
    deliveries: u64,
    kills: u64,
    pauses: u64,
    fresh: u64,
    takeovers: u64,
    replays: u64,
    busy: u64,
    fenced: u64,
    failed: u64,
    unavailable: u64,
    /// Why the store could not be asked, the first time.
    why: Option<String>,
    swept: u64,
    took: Duration,
}

/// Runs the soak on the server at that address, in a schema of its own that is dropped afterwards.
///
/// **Errors**: the server cannot be used, or somebody was told what nobody should be told.
pub async fn soak(url: &str, options: &Options) -> Result<(Figures, Audit), Problem> {
    let place = Place {
        url: url.to_owned(),
        schema: format!("soak_{}", std::process::id()),
    };
    place.schema(include_str!("../sql/schema.sql")).await?;
    let soaked = soak_in(&place, options).await;
    place.schema(include_str!("../sql/drop_schema.sql")).await?;
    soaked
}

async fn soak_in(place: &Place, options: &Options) -> Result<(Figures, Audit), Problem> {
    let pool = place.pool(2).await?;
    let store = PostgresStore::new(pool.clone());
    store.migrate().await?;
    audit::prepare(&pool).await?;
    let mut driver = Driver::new(options, place, store);
    let ran = driver.run().await;
    let (known, figures) = driver.known();
    let audited = match ran {
        Ok(()) => Audit::of(&pool, &known, options.twin.is_none()).await,
        Err(problem) => Err(problem),
    };
    let figures = figures.clone();
    drop(driver);
    pool.close().await;
    Ok((figures, audited?))
}

/// The worker's process of a soak; its place comes in the environment.
///
/// **Errors**: it was not started by a soak, or the server cannot be used.
pub async fn work(twin: Option<&str>) -> Result<(), Problem> {
    let place = Place {
        url: std::env::var("IDEM_SOAK_URL")?,
        schema: std::env::var("IDEM_SOAK_SCHEMA")?,
    };
    let store = PostgresStore::new(place.pool(8).await?);
    worker::run(store, twin.and_then(Twin::named)).await
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = self.operations as f64 / self.took.as_secs_f64();
        writeln!(
            f,
            "{} operations, {} deliveries in {:.0} s: {rate:.0} operations a second",
            self.operations,
            self.deliveries,
            self.took.as_secs_f64()
        )?;
        for (count, what) in [
            (self.kills, "processes killed"),
            (self.pauses, "processes stopped for longer than a lease"),
            (self.fresh, "told fresh"),
            (self.takeovers, "of them after an earlier attempt"),
            (self.replays, "told a replay"),
            (self.busy, "told busy"),
            (self.fenced, "fenced"),
            (self.failed, "failed by the handler"),
            (self.unavailable, "told that the store could not be asked"),
            (self.swept, "rows swept meanwhile"),
        ] {
            writeln!(f, "  {count:>8} {what}")?;
        }
        match &self.why {
            Some(why) => write!(f, "  the store's first trouble: {why}"),
            None => Ok(()),
        }
    }
}
