//! Postgres: claims beside the business tables, in the handler's own transaction.
//!
//! A fused claim tries an advisory lock on its key in the same round trip as `begin`, and reads the
//! row in the next one. The lock only tells a loser at once; the primary key is the guarantee, and
//! the row is written once, already `done`. A key whose row this process has seen is read before all
//! that, outside a transaction, which answers most replays in one round trip. No replay takes a
//! transaction id or writes to the log.
//!
//! Why this form and not another: `docs/adr/0009-claim-on-postgres.md`.

mod codes;
mod desk;
mod effects;
mod migrate;
mod overlap;
mod reading;
mod seen;
mod statement;
mod tx;

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use idem_templates::sql::postgres as files;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgConnectOptions, PgPoolOptions};
use sqlx::query::Query;
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, PgPool, Postgres, Row as _, SqlSafeStr,
    SqlStr,
};

use self::codes::{
    completing, failed, is_aborted, is_conflict, is_lock_timeout, is_unusable, sort,
    takes_no_writes,
};
pub use self::effects::Operation;
use self::reading::{named, read};
use self::seen::{Seen, lock_of};
use self::statement::{FILES, bound, completed_at, won_claim};
pub use self::tx::Tx;
use super::sql::row::{self, Sorted};
use super::sql::{Found, busy, held, is_certain, judge, no_connection, release_in_background};
use super::unbroken::unbroken;
use super::{
    Claimed, Completion, Ended, Held, Observer, Point, Remains, Request, Store, TransactionalStore,
};
use crate::claim::{Claim, Decision, Row, Told};
use crate::desk::Hooks;
use crate::{Key, StoreError, StoreErrorKind, StoredError};

/// How often a claim that lost against a changing row looks again. Each round means that another
/// caller got through, so two would do; the third is for a sweep in between.
const ROUNDS: u32 = 3;

/// Claims in a Postgres database.
///
/// Clones share the connections.
#[derive(Clone)]
pub struct PostgresStore {
    pool: PgPool,
    seen: Arc<Seen>,
    observer: Option<Arc<dyn Observer>>,
    hooks: Hooks,
}

impl PostgresStore {
    /// Connects by URL, with a pool of up to ten connections. The tables come with
    /// [`Store::migrate`].
    ///
    /// **Units and shapes**: a call waits at most 5 s for a connection. Open a pool yourself and
    /// use [`PostgresStore::new`] for anything else.
    ///
    /// **Errors**: the URL is none, or the server cannot be reached; that is told at once.
    pub async fn connect(url: &str) -> Result<Self, StoreError> {
        const DOING: &str = "connecting to the database";
        let options: PgConnectOptions = url.parse().map_err(|error| failed(DOING, error))?;
        // A pool would try again until its patience is over, and then not say why.
        let first = options
            .connect()
            .await
            .map_err(|error| failed(DOING, error))?;
        first.close().await.map_err(|error| failed(DOING, error))?;
        let pool = PgPoolOptions::new()
            .acquire_timeout(Duration::from_secs(5))
            // The read that opens each claim finds out whether the connection lives, and is asked
            // again on another one where it does not: a ping before it would be a round trip more.
            .test_before_acquire(false)
            .connect_lazy_with(options);
        Ok(Self::new(pool))
    }

    /// Uses a pool that the caller opened.
    #[must_use]
    pub fn new(pool: PgPool) -> Self {
        Self {
            pool,
            seen: Arc::new(Seen::new()),
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
    pub const fn pool(&self) -> &PgPool {
        &self.pool
    }

    async fn connection(
        &self,
        doing: &'static str,
    ) -> Result<PoolConnection<Postgres>, StoreError> {
        let acquired = self.pool.acquire().await;
        acquired.map_err(|error| no_connection(doing, &self.pool, error, failed))
    }

    /// Reads the row of a key in no transaction, and keeps the connection it was read on. A
    /// connection of no use is dropped and another one asked: nothing was written.
    async fn look(&self, key: &Key) -> Result<(PoolConnection<Postgres>, Found), StoreError> {
        const DOING: &str = "reading a key";
        let mut idle = self.pool.num_idle().max(1);
        loop {
            let mut connection = self.connection(DOING).await?;
            match read(&mut connection, key).await {
                Ok(found) => {
                    if found.is_some() {
                        self.seen.add(lock_of(key));
                    }
                    return Ok((connection, found));
                }
                Err(error) if is_unusable(&error) && idle > 0 => {
                    idle -= 1;
                    connection.close_on_drop();
                }
                Err(error) => return Err(failed(DOING, error)),
            }
        }
    }

    /// Begins the transaction of a fused claim and tries to lock its key. A key whose row this process
    /// has seen is read before that, outside a transaction: most often it is a replay.
    async fn begin_fused(&self, request: &Request) -> Result<Claimed<Transaction>, StoreError> {
        const DOING: &str = "claiming a key";
        let lock = lock_of(request.key());
        // Safe as SQL: the only thing put into the text is a number.
        let text = AssertSqlSafe(files::begin_fused(lock)).into_sql_str();
        let mut idle = self.pool.num_idle();
        while !self.seen.has(lock) {
            let connection = self.connection(DOING).await?;
            match begin(connection, text.clone()).await {
                Ok(transaction) => return Ok(Claimed::Won(transaction)),
                // The read finds out which connection that is, and drops it.
                Err(error) if is_aborted(&error) => break,
                Err(error) if is_unusable(&error) && idle > 0 => idle -= 1,
                Err(error) => return Err(failed(DOING, error)),
            }
        }
        let (connection, found) = self.look(request.key()).await?;
        if let Decision::Told(told) = judge(found, request)
            && is_certain(&told, request)
        {
            return Ok(Claimed::Told(told));
        }
        let begun = begin(connection, text).await;
        begun
            .map(Claimed::Won)
            .map_err(|error| failed(DOING, error))
    }

    /// A connection that answers. What follows must not be sent twice, so it is asked first.
    async fn live(&self, doing: &'static str) -> Result<PoolConnection<Postgres>, StoreError> {
        let mut dead = self.pool.num_idle();
        loop {
            let mut connection = self.connection(doing).await?;
            match connection.ping().await {
                Ok(()) => return Ok(connection),
                Err(error) if dead == 0 => return Err(failed(doing, error)),
                Err(_) => {
                    dead -= 1;
                    connection.close_on_drop();
                }
            }
        }
    }

    /// Runs one writing statement by itself. Above read committed it can lose against a concurrent
    /// one without having done anything, and is then sent again.
    async fn write<'q>(
        &self,
        doing: &'static str,
        statement: impl Fn() -> Query<'q, Postgres, PgArguments>,
    ) -> Result<u64, StoreError> {
        let mut connection = self.live(doing).await?;
        let mut rounds = ROUNDS;
        loop {
            rounds -= 1;
            match statement().execute(&mut *connection).await {
                Ok(done) => return Ok(done.rows_affected()),
                Err(error) if rounds > 0 && is_conflict(&error) => {}
                Err(error) => return Err(failed(doing, error)),
            }
        }
    }
}

/// Begins a transaction. The driver does not notice when that is interrupted, and would lend the
/// connection to the next caller with the transaction open: so it goes on to its end.
async fn begin(
    connection: PoolConnection<Postgres>,
    statement: SqlStr,
) -> Result<Transaction, sqlx::Error> {
    unbroken(
        sqlx::Transaction::begin(connection, Some(statement)),
        |begun: Result<Transaction, _>| {
            drop(begun);
            std::future::ready(())
        },
    )
    .await
}

type Transaction = sqlx::Transaction<'static, Postgres>;

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore").finish_non_exhaustive()
    }
}

impl Store for PostgresStore {
    async fn read(&self, key: &Key) -> Result<Option<Result<Row, StoredError>>, StoreError> {
        let (_, found) = self.look(key).await?;
        Ok(found)
    }

    async fn claim(&self, request: &Request) -> Result<Claimed<Claim>, StoreError> {
        const DOING: &str = "claiming a key";
        if !request.previous_keys().is_empty() {
            return overlap::claim(self, request).await;
        }
        for _ in 0..ROUNDS {
            let (mut connection, found) = self.look(request.key()).await?;
            match judge(found, request) {
                Decision::Told(told) => return Ok(Claimed::Told(told)),
                Decision::Won(_) => {}
            }
            let claimed = bound(FILES.claim(request))
                .fetch_optional(&mut *connection)
                .await;
            match claimed {
                Ok(Some(row)) => return Ok(Claimed::Won(won_claim(&row)?)),
                // The row changed hands between the two statements: look again.
                Ok(None) => {}
                Err(error) if is_conflict(&error) => {}
                Err(error) if is_lock_timeout(&error) => {
                    return Ok(Claimed::Told(busy(request)));
                }
                Err(error) => return Err(failed(DOING, error)),
            }
        }
        Ok(Claimed::Told(busy(request)))
    }

    async fn renew(&self, request: &Request, claim: &Claim) -> Result<Held, StoreError> {
        let renewed = || bound(FILES.renew(request, claim));
        self.write("renewing a lease", renewed).await.map(held)
    }

    async fn complete(
        &self,
        request: &Request,
        claim: &Claim,
        completion: Completion<'_>,
    ) -> Result<Held<SystemTime>, StoreError> {
        const DOING: &str = "completing a claim";
        let mut connection = self.live(DOING).await?;
        self.seen.add(lock_of(request.key()));
        let completed = bound(FILES.complete(request, claim, completion))
            .bind(true)
            .fetch_optional(&mut *connection)
            .await
            .map_err(|error| failed(DOING, error))?;
        completed_at(completed.as_ref(), DOING)
    }

    async fn fail(
        &self,
        request: &Request,
        claim: &Claim,
        remains: Remains<'_>,
    ) -> Result<Held, StoreError> {
        let failed = || bound(FILES.fail(request, claim, remains));
        self.write("recording a failure", failed).await.map(held)
    }

    async fn release(&self, request: &Request, claim: &Claim) -> Result<Held, StoreError> {
        let released = || bound(FILES.release(request, claim));
        self.write("releasing a claim", released).await.map(held)
    }

    fn abandon(&self, request: Request, claim: Claim) {
        release_in_background(self.clone(), request, claim);
    }

    async fn sweep(&self, batch: u32) -> Result<u64, StoreError> {
        let swept = || sqlx::query(files::SWEEP).bind(i64::from(batch));
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

impl TransactionalStore for PostgresStore {
    type Tx = Tx<'static>;

    async fn claim_in(&self, request: &Request) -> Result<Claimed<(Self::Tx, Claim)>, StoreError> {
        const DOING: &str = "claiming a key";
        let fail = |error| failed(DOING, error);
        let mut transaction = match self.begin_fused(request).await? {
            Claimed::Won(transaction) => transaction,
            Claimed::Told(told) => return Ok(Claimed::Told(told)),
        };
        let row = sqlx::query(files::READ_FUSED)
            .bind(request.key().as_str())
            .fetch_one(&mut *transaction)
            .await
            .map_err(fail)?;
        let ours: Option<bool> = row.try_get(15).map_err(fail)?;
        let status: Option<&str> = row.try_get(1).map_err(fail)?;
        let found = status.map(|_| row::read(&row, request.key()));
        if found.is_some() {
            self.seen.add(lock_of(request.key()));
        }
        let found = named(&mut transaction, request.key(), found)
            .await
            .map_err(fail)?;
        let decision = overlap::among_fused(&mut transaction, found, request, ours == Some(true))
            .await
            .map_err(fail)?;
        match decision {
            Decision::Won(_) if row.try_get(16).map_err(fail)? => Err(takes_no_writes(DOING)),
            Decision::Won(claim) => Ok(Claimed::Won((Tx::new(transaction, &claim), claim))),
            Decision::Told(told) => {
                // Where the work is done nobody needs the lock: its rollback is on its way, and nobody
                // waits for it.
                if !matches!(told, Told::Replay { .. }) || !request.previous_keys().is_empty() {
                    transaction.rollback().await.map_err(fail)?;
                }
                Ok(Claimed::Told(told))
            }
        }
    }

    async fn begin(
        &self,
        _request: &Request,
        claim: &Claim,
    ) -> Result<Claimed<Self::Tx>, StoreError> {
        const DOING: &str = "beginning the handler's transaction";
        let mut dead = self.pool.num_idle();
        loop {
            let connection = self.connection(DOING).await?;
            let marked = files::BEGIN_LEASED.into_sql_str();
            let error = match begin(connection, marked).await {
                Ok(transaction) => return Ok(Claimed::Won(Tx::new(transaction, claim))),
                Err(error) => failed(DOING, error),
            };
            if error.kind() != StoreErrorKind::Connection || dead == 0 {
                return Err(error);
            }
            dead -= 1;
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
        self.seen.add(lock_of(request.key()));
        let completed = bound(FILES.complete(request, claim, completion))
            .bind(false)
            .fetch_optional(&mut **tx)
            .await
            .map_err(|error| failed(completing(&error), error))?;
        completed_at(completed.as_ref(), DOING)
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
        let ours = sqlx::query_scalar::<_, Option<bool>>(files::IS_OURS)
            .fetch_one(&mut **tx)
            .await;
        match ours {
            // A transaction refuses to answer after a statement failed in it, and is open still.
            Ok(Some(true)) | Err(_) => None,
            Ok(Some(false) | None) => Some(Ended::Unknown),
        }
    }

    async fn fail_in(
        &self,
        mut tx: Self::Tx,
        request: &Request,
        claim: &Claim,
        reason: &str,
    ) -> Result<Held, StoreError> {
        let remains = Remains::Unknown(reason);
        // Safe as SQL: the only thing put into the text is a number.
        let text = AssertSqlSafe(files::roll_back_and_hold(lock_of(request.key())));
        if sqlx::raw_sql(text).execute(&mut *tx).await.is_ok() {
            let recorded = bound(FILES.fail(request, claim, remains))
                .execute(&mut *tx)
                .await;
            if let Ok(recorded) = recorded
                && tx.commit().await.is_ok()
            {
                return Ok(held(recorded.rows_affected()));
            }
        } else {
            // A statement that failed has ended the transaction for the server, which freed its locks
            // then and there: there is nothing left to hold the key by. Where the connection is gone,
            // the server rolls back by itself.
            drop(self.rollback(tx).await);
        }
        self.fail(request, claim, remains).await
    }
}
