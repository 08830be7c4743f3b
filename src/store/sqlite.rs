//! Embedded SQLite: claims beside the business tables, in the same file and transaction.
//!
//! SQLite has one writer for the whole database. A writing transaction here owns it from its first
//! statement (`begin immediate`); inside one process the writers queue fairly and asynchronously,
//! between processes they wait in the database, and both waits end with the busy timeout as
//! [`Told::Busy`](crate::claim::Told::Busy)(crate::claim::Told::Busy). A caller whose key is at work in this process is told so without waiting.
//!
//! Replays read, on a connection of their own: in WAL mode they never meet the writer.

mod codes;
mod desk;
mod effects;
mod inner;
mod migrate;
mod overlap;
mod tx;
mod watch;

use std::error::Error as StdError;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use idem_templates::sql::sqlite as files;
use sqlx::pool::PoolConnection;
use sqlx::query::Query;
use sqlx::sqlite::{
    SqliteArguments, SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Row as _, Sqlite, SqlitePool};

use self::codes::{failed, is_busy, sort, too_busy};
pub use self::effects::Operation;
use self::inner::Inner;
pub use self::tx::Tx;
use self::tx::{Reserved, Writing};
use super::sql::row::{self, Sorted};
use super::sql::statement::{Files, Statement, Value};
use super::sql::{
    busy, held, judge, no_connection, release_in_background, with_unnamed_effect, won,
};
use super::{
    Claimed, Completion, Ended, Held, Observer, Point, Remains, Request, Store, TransactionalStore,
};
use crate::claim::{Claim, Decision, Row};
use crate::desk::Hooks;
use crate::{Key, StoreError, StoredError};

/// How long a writer waits for the database's one writer lock, unless told otherwise: sqlx's own
/// default, so that a pool made elsewhere and this queue agree.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The pause before a file is opened again that another process is changing to WAL: it takes some
/// milliseconds.
const REOPEN: Duration = Duration::from_millis(5);

/// How often a claim that lost against a changing row looks again. Each round means that another
/// caller got through, so two would do; the third is for a sweep in between.
const ROUNDS: u32 = 3;

/// Claims in an SQLite database.
///
/// Clones share the connections, the queue of writers and the keys at work. Use one store per
/// database file and process: two of them are still correct, but wait for each other in the
/// database.
#[derive(Clone)]
pub struct SqliteStore {
    inner: Arc<Inner>,
    observer: Option<Arc<dyn Observer>>,
    hooks: Hooks,
}

impl SqliteStore {
    /// Opens a database file, and creates it where there is none: WAL, `synchronous = full`,
    /// foreign keys on, a busy timeout of 5 s. The tables come with [`Store::migrate`].
    ///
    /// Several processes may open a new file at once: whoever comes second waits, at most the busy
    /// timeout, until the first has made it what it is.
    ///
    /// **Errors**: the file cannot be opened, or is no database. That is permanent: a path or a right
    /// is wrong.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        codes::refuse_wrong_path(path)?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT);
        let start = Instant::now();
        loop {
            let pool = SqlitePoolOptions::new()
                // A connection is a file handle here: there is no server that could have dropped it.
                .test_before_acquire(false)
                .connect_with(options.clone())
                .await;
            match pool {
                Ok(pool) => return Ok(Self::new(pool)),
                // The change to WAL takes the whole file, and is refused without any wait where
                // another process is making it.
                Err(error) if is_busy(&error) && start.elapsed() < BUSY_TIMEOUT => {
                    tokio::time::sleep(REOPEN).await;
                }
                Err(error) => return Err(codes::not_opened(path, error)),
            }
        }
    }

    /// Uses a pool that the caller opened.
    ///
    /// It should be in WAL mode with `synchronous = full`, and have more than one connection:
    /// otherwise readers wait for the handler, and a power cut may undo what was acknowledged.
    #[must_use]
    pub fn new(pool: SqlitePool) -> Self {
        Self::with_busy_timeout(pool, BUSY_TIMEOUT)
    }

    /// The same for a pool whose busy timeout is not 5 s: how long a call waits at most for the
    /// database's one writer.
    #[must_use]
    pub fn with_busy_timeout(pool: SqlitePool, busy_timeout: Duration) -> Self {
        Self {
            inner: Arc::new(Inner {
                pool,
                busy_timeout,
                writer: Arc::default(),
                at_work: Mutex::default(),
                writing: Mutex::default(),
            }),
            observer: None,
            hooks: Hooks::none(),
        }
    }

    /// The same store, telling this observer when a call passes a point.
    #[must_use]
    pub fn observed(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// The pool.
    #[must_use]
    pub fn pool(&self) -> &SqlitePool {
        &self.inner.pool
    }

    async fn connection(&self, doing: &'static str) -> Result<PoolConnection<Sqlite>, StoreError> {
        let pool = &self.inner.pool;
        let acquired = pool.acquire().await;
        acquired.map_err(|error| no_connection(doing, pool, error, failed))
    }

    /// Runs one writing statement by itself. `None` when the writer was not to be had in time.
    async fn write(
        &self,
        doing: &'static str,
        statement: Query<'_, Sqlite, SqliteArguments>,
    ) -> Result<u64, StoreError> {
        let _writer = self.inner.queue().await.ok_or_else(|| too_busy(doing))?;
        let mut connection = self.connection(doing).await?;
        let done = statement.execute(&mut *connection).await;
        done.map(|done| done.rows_affected())
            .map_err(|error| failed(doing, error))
    }
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore").finish_non_exhaustive()
    }
}

impl Store for SqliteStore {
    async fn read(&self, key: &Key) -> Result<Option<Result<Row, StoredError>>, StoreError> {
        let mut connection = self.connection("reading a key").await?;
        read(&mut connection, key).await
    }

    async fn claim(&self, request: &Request) -> Result<Claimed<Claim>, StoreError> {
        const DOING: &str = "claiming a key";
        if !request.previous_keys().is_empty() {
            return overlap::claim(self, request).await;
        }
        for _ in 0..ROUNDS {
            let found = self.read(request.key()).await?;
            match judge(found, request) {
                Decision::Told(told) => return Ok(Claimed::Told(told)),
                Decision::Won(_) => {}
            }
            let Some(_writer) = self.inner.queue().await else {
                return Ok(Claimed::Told(busy(request)));
            };
            let mut connection = self.connection(DOING).await?;
            // Read to its end, not to its first row: the statement commits when it is finished.
            let won = bound(FILES.claim(request))
                .fetch_all(&mut *connection)
                .await;
            match won {
                Ok(rows) => {
                    if let Some(row) = rows.first() {
                        return Ok(Claimed::Won(won_claim(row)?));
                    }
                }
                Err(error) if is_busy(&error) => return Ok(Claimed::Told(busy(request))),
                Err(error) => return Err(failed(DOING, error)),
            }
        }
        Ok(Claimed::Told(busy(request)))
    }

    async fn renew(&self, request: &Request, claim: &Claim) -> Result<Held, StoreError> {
        // While the claim's transaction holds the one writer, nobody can take it over, and nobody
        // could write the new lease either: the transaction is the lease.
        let holds_writer = self
            .inner
            .writing()
            .as_ref()
            .is_some_and(|(key, fence)| key == request.key() && *fence == claim.fence);
        if holds_writer {
            return Ok(Held::Yes(()));
        }
        let renewed = bound(FILES.renew(request, claim));
        self.write("renewing a lease", renewed).await.map(held)
    }

    async fn complete(
        &self,
        request: &Request,
        claim: &Claim,
        completion: Completion<'_>,
    ) -> Result<Held<SystemTime>, StoreError> {
        const DOING: &str = "completing a claim";
        let _writer = self.inner.queue().await.ok_or_else(|| too_busy(DOING))?;
        let mut connection = self.connection(DOING).await?;
        let completed = bound(FILES.complete(request, claim, completion))
            .fetch_all(&mut *connection)
            .await
            .map_err(|error| failed(DOING, error))?;
        completed_at(completed.first(), DOING)
    }

    async fn fail(
        &self,
        request: &Request,
        claim: &Claim,
        remains: Remains<'_>,
    ) -> Result<Held, StoreError> {
        let failed = bound(FILES.fail(request, claim, remains));
        self.write("recording a failure", failed).await.map(held)
    }

    async fn release(&self, request: &Request, claim: &Claim) -> Result<Held, StoreError> {
        let released = bound(FILES.release(request, claim));
        self.write("releasing a claim", released).await.map(held)
    }

    fn abandon(&self, request: Request, claim: Claim) {
        release_in_background(self.clone(), request, claim);
    }

    async fn sweep(&self, batch: u32) -> Result<u64, StoreError> {
        let swept = sqlx::query(files::SWEEP).bind(i64::from(batch));
        self.write("sweeping", swept).await
    }

    async fn migrate(&self) -> Result<Vec<u32>, StoreError> {
        migrate::migrate(self).await
    }

    async fn check(&self) -> Result<(), StoreError> {
        migrate::check(self).await
    }

    fn classify(&self, error: &(dyn StdError + 'static)) -> Option<StoreError> {
        let error = error.downcast_ref::<sqlx::Error>()?;
        let doing = "running the handler's statement";
        Some(match row::sorted(error, sort) {
            Sorted::Conflict => StoreError::conflict(doing),
            Sorted::Kind(kind) => StoreError::new(kind, doing),
        })
    }

    fn observe(&self, point: Point) {
        if let Some(observer) = &self.observer {
            observer.at(point);
        }
    }

    fn observe_request(&self, request: &Request) {
        if let Some(observer) = &self.observer {
            observer.asks(request);
        }
    }
}

impl TransactionalStore for SqliteStore {
    type Tx = Tx<'static>;

    async fn claim_in(&self, request: &Request) -> Result<Claimed<(Self::Tx, Claim)>, StoreError> {
        const DOING: &str = "claiming a key";
        if self.inner.is_at_work(request) {
            return Ok(Claimed::Told(busy(request)));
        }
        let mut connection = self.connection(DOING).await?;
        let found = read(&mut connection, request.key()).await?;
        let (decision, _) = overlap::among(&mut connection, found, request).await?;
        if let Decision::Told(told) = decision {
            return Ok(Claimed::Told(told));
        }
        let Some(reserved) = Reserved::new(&self.inner, request.key()) else {
            return Ok(Claimed::Told(busy(request)));
        };
        // Whoever has to queue does it without a connection: readers need them meanwhile.
        let (writer, connection) = match Arc::clone(&self.inner.writer).try_lock_owned() {
            Ok(writer) => (writer, connection),
            Err(_) => {
                drop(connection);
                let Some(writer) = self.inner.queue().await else {
                    return Ok(Claimed::Told(busy(request)));
                };
                (writer, self.connection(DOING).await?)
            }
        };
        let mut writing = match Writing::begin(writer, connection, Some(reserved)).await {
            Ok(writing) => writing,
            Err(error) if is_busy(&error) => return Ok(Claimed::Told(busy(request))),
            Err(error) => return Err(failed(DOING, error)),
        };
        // The first look may be old: another process can have finished meanwhile.
        let found = read(writing.connection(), request.key()).await?;
        let (decision, _) = overlap::among(writing.connection(), found, request).await?;
        match decision {
            Decision::Won(claim) => Ok(Claimed::Won((Tx::new(writing, &claim), claim))),
            Decision::Told(told) => {
                writing
                    .rollback()
                    .await
                    .map_err(|error| failed(DOING, error))?;
                Ok(Claimed::Told(told))
            }
        }
    }

    async fn begin(
        &self,
        request: &Request,
        claim: &Claim,
    ) -> Result<Claimed<Self::Tx>, StoreError> {
        const DOING: &str = "beginning the handler's transaction";
        let Some(writer) = self.inner.queue().await else {
            return Ok(Claimed::Told(busy(request)));
        };
        let connection = self.connection(DOING).await?;
        match Writing::begin(writer, connection, None).await {
            Ok(writing) => {
                let writing = writing.under_lease(&self.inner, request.key(), claim.fence);
                Ok(Claimed::Won(Tx::new(writing, claim)))
            }
            Err(error) if is_busy(&error) => Ok(Claimed::Told(busy(request))),
            Err(error) => Err(failed(DOING, error)),
        }
    }

    async fn complete_in(
        &self,
        tx: &mut Self::Tx,
        request: &Request,
        claim: &Claim,
        completion: Completion<'_>,
    ) -> Result<Held<SystemTime>, StoreError> {
        const DOING: &str = "completing a claim";
        if tx.has_ended() {
            return Ok(Held::Lost);
        }
        let completed = bound(FILES.complete(request, claim, completion))
            .fetch_all(&mut **tx)
            .await
            .map_err(|error| failed(DOING, error))?;
        completed_at(completed.first(), DOING)
    }

    async fn commit(&self, tx: Self::Tx) -> Result<(), StoreError> {
        tx.commit()
            .await
            .map_err(|error| failed("committing the handler's transaction", error))
    }

    async fn rollback(&self, tx: Self::Tx) -> Result<(), StoreError> {
        tx.rollback()
            .await
            .map_err(|error| failed("rolling the handler's transaction back", error))
    }

    async fn ended(&self, tx: &mut Self::Tx, _conflict: bool) -> Option<Ended> {
        tx.has_ended().then_some(Ended::Undone)
    }

    async fn fail_in(
        &self,
        mut tx: Self::Tx,
        request: &Request,
        claim: &Claim,
        reason: &str,
    ) -> Result<Held, StoreError> {
        const DOING: &str = "recording that a person has to decide";
        let remains = Remains::Unknown(reason);
        if tx.has_ended() {
            drop(tx);
            return self.fail(request, claim, remains).await;
        }
        sqlx::raw_sql(files::ROLL_BACK_AND_HOLD)
            .execute(&mut *tx)
            .await
            .map_err(|error| failed(DOING, error))?;
        let recorded = bound(FILES.fail(request, claim, remains))
            .execute(&mut *tx)
            .await
            .map_err(|error| failed(DOING, error))?;
        tx.commit().await.map_err(|error| failed(DOING, error))?;
        Ok(held(recorded.rows_affected()))
    }
}

async fn read(
    connection: &mut sqlx::SqliteConnection,
    key: &Key,
) -> Result<Option<Result<Row, StoredError>>, StoreError> {
    const DOING: &str = "reading a key";
    let found = sqlx::query(files::READ)
        .bind(key.as_str())
        .fetch_optional(&mut *connection)
        .await
        .map_err(|error| failed(DOING, error))?;
    let mut found = found.map(|columns| row::read(&columns, key));
    if let Some(row) = with_unnamed_effect(&mut found) {
        let effect: Option<String> = sqlx::query_scalar(files::EFFECT_OVERDUE)
            .bind(key.as_str())
            .fetch_one(connection)
            .await
            .map_err(|error| failed(DOING, error))?;
        row.begun_effect = effect.or(row.begun_effect.take());
    }
    Ok(found)
}

const FILES: Files = Files {
    claim: files::CLAIM,
    renew: files::RENEW,
    complete: files::COMPLETE,
    complete_fused: files::COMPLETE_FUSED,
    fail: files::FAIL,
    fail_fused: files::FAIL_FUSED,
    release: files::RELEASE,
};

/// A statement as the driver takes it.
fn bound(statement: Statement<'_>) -> Query<'_, Sqlite, SqliteArguments> {
    let query = sqlx::query(statement.text);
    statement
        .values
        .into_iter()
        .fold(query, |query, value| match value {
            Value::Text(text) => query.bind(text),
            Value::MaybeText(text) => query.bind(text),
            Value::Bytes(bytes) => query.bind(bytes),
            Value::OwnBytes(bytes) => query.bind(bytes),
            Value::MaybeBytes(bytes) => query.bind(bytes),
            Value::Number(number) => query.bind(number),
            Value::MaybeNumber(number) => query.bind(number),
        })
}

/// The claim that `claim.sql` returned.
fn won_claim(row: &sqlx::sqlite::SqliteRow) -> Result<Claim, StoreError> {
    let read = || -> Result<(i64, i64), sqlx::Error> { Ok((row.try_get(0)?, row.try_get(1)?)) };
    let (attempt, fence) = read().map_err(|error| failed("claiming a key", error))?;
    won(attempt, fence)
}

fn completed_at(
    row: Option<&sqlx::sqlite::SqliteRow>,
    doing: &'static str,
) -> Result<Held<SystemTime>, StoreError> {
    let Some(row) = row else {
        return Ok(Held::Lost);
    };
    let millis = row.try_get(0).map_err(|error| failed(doing, error))?;
    Ok(Held::Yes(
        row::moment(millis).unwrap_or(SystemTime::UNIX_EPOCH),
    ))
}
