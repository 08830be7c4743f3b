//! MariaDB and MySQL: claims beside the business tables, in the handler's own transaction.
//!
//! A fused claim tries a lock of its session, named after the key, in the same round trip as the
//! transaction's beginning, and reads the row in the next one. The lock only tells a loser at once;
//! the primary key is the guarantee, and the row is written once, already `done`. Before any of
//! that, one plain read outside a transaction answers replays.
//!
//! Why this form and not another: `docs/adr/0013-claim-on-mariadb-and-mysql.md`.

mod desk;
mod effects;
mod errors;
mod migrate;
mod overlap;
mod session;
mod statements;
mod tx;

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use idem_templates::sql::{Numbered, mysql as files};
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _, MySqlPool, Row as _, SqlSafeStr as _};

use self::errors::{failed, is_conflict, is_lock_timeout, is_taken, is_unsealed};
use self::overlap::Overlap;
use self::session::Session;
use self::statements::{ABSENT, KNOWN, begin_fused, bound, files_of, of_key};
pub use self::tx::Tx;
use super::sql::row;
use super::sql::statement::Statement;
use super::sql::{Found, busy, held, is_certain, judge, no_connection, release_in_background, won};
use super::{
    Claimed, Completion, Ended, Held, Observer, Point, Remains, Request, Store, TransactionalStore,
};
use crate::claim::{Claim, Decision, Row};
use crate::desk::Hooks;
use crate::{Key, StoreError, StoreErrorKind, StoredError};

/// How often a claim that lost against a changing row looks again. Each round means that another
/// caller got through, so two would do; the third is for a sweep in between.
const ROUNDS: u32 = 3;

/// What a handler with effects outside the database is given.
pub type Operation<'o> = crate::Operation<'o, Tx<'static>>;

/// Claims in a MariaDB or MySQL database.
///
/// Clones share the connections.
#[derive(Clone)]
pub struct MysqlStore {
    pool: MySqlPool,
    observer: Option<Arc<dyn Observer>>,
    hooks: Hooks,
}

impl MysqlStore {
    /// Connects by URL, with a pool of up to ten connections. The tables come with
    /// [`Store::migrate`].
    ///
    /// **Units and shapes**: a call waits at most 5 s for a connection. Open a pool yourself and
    /// use [`MysqlStore::new`] for anything else.
    ///
    /// **Errors**: the URL is none, or the server cannot be reached; that is told at once.
    pub async fn connect(url: &str) -> Result<Self, StoreError> {
        const DOING: &str = "connecting to the database";
        let options: MySqlConnectOptions = url.parse().map_err(|error| failed(DOING, error))?;
        // A pool would try again until its patience is over, and then not say why.
        let first = options
            .connect()
            .await
            .map_err(|error| failed(DOING, error))?;
        first.close().await.map_err(|error| failed(DOING, error))?;
        let pool = MySqlPoolOptions::new()
            .acquire_timeout(Duration::from_secs(5))
            // The read that opens each claim finds out whether the connection lives, and is asked
            // again on another one where it does not: a ping before it would be a round trip more.
            .test_before_acquire(false)
            .connect_lazy_with(options);
        Ok(Self::new(pool))
    }

    /// Uses a pool that the caller opened.
    #[must_use]
    pub fn new(pool: MySqlPool) -> Self {
        Self {
            pool,
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
    pub const fn pool(&self) -> &MySqlPool {
        &self.pool
    }

    async fn session(&self, doing: &'static str) -> Result<Session, StoreError> {
        let connection = self.pool.acquire().await;
        connection
            .map(Session::new)
            .map_err(|error| no_connection(doing, &self.pool, error, failed))
    }

    /// Reads the row of a key in no transaction, and keeps the session it was read on. A session
    /// that died in the pool is dropped and another one asked: nothing was written.
    async fn look(&self, key: &Key) -> Result<(Session, Found), StoreError> {
        const DOING: &str = "reading a key";
        let mut dead = self.pool.num_idle();
        loop {
            let mut session = self.session(DOING).await?;
            match read(&mut session, key).await {
                Ok(found) => return Ok((session, found)),
                Err(error) => {
                    let error = failed(DOING, error);
                    if error.kind() != StoreErrorKind::Connection || dead == 0 {
                        return Err(error);
                    }
                    dead -= 1;
                }
            }
        }
    }

    /// A session that answers. What follows must not be sent twice, so it is asked first.
    async fn live(&self, doing: &'static str) -> Result<Session, StoreError> {
        let mut dead = self.pool.num_idle();
        loop {
            let mut session = self.session(doing).await?;
            let pinged = session.asking().ping().await;
            match session.answered(pinged) {
                Ok(()) => return Ok(session),
                Err(error) if dead == 0 => return Err(failed(doing, error)),
                Err(_) => dead -= 1,
            }
        }
    }

    /// Runs one writing statement by itself.
    async fn write(
        &self,
        doing: &'static str,
        statement: Statement<'_, &'static Numbered>,
    ) -> Result<u64, StoreError> {
        let mut session = self.live(doing).await?;
        write(&mut session, doing, &statement).await
    }
}

impl fmt::Debug for MysqlStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MysqlStore").finish_non_exhaustive()
    }
}

impl Store for MysqlStore {
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
            let (mut session, found) = self.look(request.key()).await?;
            let claim = match judge(found, request) {
                Decision::Told(told) => return Ok(Claimed::Told(told)),
                Decision::Won(claim) => claim,
            };
            let statement = match claim.followed {
                None => ABSENT.claim(request),
                Some(_) => KNOWN.claim_again(request, &claim),
            };
            let claimed = bound(&statement).execute(session.asking()).await;
            let claimed = session.answered(claimed);
            if claim.followed.is_none() {
                // The lock may have been got also where the row was not.
                session.let_go_in_background();
            }
            match claimed {
                Ok(done) if done.rows_affected() > 0 => {
                    let (attempt, fence) = (i64::from(claim.attempt), claim.fence.to_stored());
                    return Ok(Claimed::Won(won(attempt, fence)?));
                }
                // The row changed hands between the two statements: look again.
                Ok(_) => {}
                Err(error) if is_taken(&error) || is_conflict(&error) => {}
                Err(error) if is_lock_timeout(&error) => {
                    return Ok(Claimed::Told(busy(request)));
                }
                Err(error) => return Err(failed(DOING, error)),
            }
        }
        Ok(Claimed::Told(busy(request)))
    }

    async fn renew(&self, request: &Request, claim: &Claim) -> Result<Held, StoreError> {
        let renewed = KNOWN.renew(request, claim);
        self.write("renewing a lease", renewed).await.map(held)
    }

    async fn complete(
        &self,
        request: &Request,
        claim: &Claim,
        completion: Completion<'_>,
    ) -> Result<Held<SystemTime>, StoreError> {
        const DOING: &str = "completing a claim";
        let mut session = self.live(DOING).await?;
        session.asking();
        let now = session.ask_in_turn(files::CLOCK).await;
        let now = session
            .answered(now)
            .map_err(|error| failed(DOING, error))?;
        for files in files_of(request, claim) {
            let completed = files.complete(request, claim, completion);
            if write(&mut session, DOING, &completed).await? > 0 {
                return Ok(Held::Yes(moment(now.millis)));
            }
        }
        Ok(Held::Lost)
    }

    async fn fail(
        &self,
        request: &Request,
        claim: &Claim,
        remains: Remains<'_>,
    ) -> Result<Held, StoreError> {
        for files in files_of(request, claim) {
            let failed = files.fail(request, claim, remains);
            if self.write("recording a failure", failed).await? > 0 {
                return Ok(Held::Yes(()));
            }
        }
        Ok(Held::Lost)
    }

    async fn release(&self, request: &Request, claim: &Claim) -> Result<Held, StoreError> {
        let released = KNOWN.release(request, claim);
        self.write("releasing a claim", released).await.map(held)
    }

    fn abandon(&self, request: Request, claim: Claim) {
        release_in_background(self.clone(), request, claim);
    }

    async fn sweep(&self, batch: u32) -> Result<u64, StoreError> {
        const DOING: &str = "sweeping";
        let session = self.live(DOING).await?;
        match session.sweep(batch).await {
            Ok(swept) => Ok(swept),
            // What it lost against has locked the rows: they are left to the next batch.
            Err(error) if is_conflict(&error) => Ok(0),
            Err(error) => Err(failed(DOING, error)),
        }
    }

    async fn migrate(&self) -> Result<Vec<u32>, StoreError> {
        migrate::migrate(self).await
    }

    async fn check(&self) -> Result<(), StoreError> {
        migrate::check(self).await
    }

    fn classify(&self, error: &(dyn StdError + 'static)) -> Option<StoreError> {
        let error = error.downcast_ref::<sqlx::Error>()?;
        Some(errors::sorted(error).while_doing("running the handler's statement"))
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

impl TransactionalStore for MysqlStore {
    type Tx = Tx<'static>;

    async fn claim_in(&self, request: &Request) -> Result<Claimed<(Self::Tx, Claim)>, StoreError> {
        const DOING: &str = "claiming a key";
        let fail = |error| failed(DOING, error);
        let (mut session, found) = self.look(request.key()).await?;
        if let Decision::Told(told) = judge(found, request)
            && is_certain(&told, request)
        {
            return Ok(Claimed::Told(told));
        }
        let text = begin_fused(request.key());
        session.begin(text).await.map_err(fail)?;
        let overlap = Overlap::lock(&mut session, request, overlap::FUSED)
            .await
            .map_err(fail)?;
        let row = of_key(&files::READ_FUSED, request.key())
            .fetch_one(session.connection_mut())
            .await
            .map_err(fail)?;
        let ours: bool = row.try_get(15).map_err(fail)?;
        let status: Option<&str> = row.try_get(1).map_err(fail)?;
        let found = status.map(|_| row::read(&row, request.key()));
        let among = overlap.judge(&mut session, found, request).await;
        let (decision, _) = among.map_err(fail)?;
        let told = match decision {
            Decision::Won(claim) if ours => {
                return Ok(Claimed::Won((Tx::new(session, &claim), claim)));
            }
            // What a row says is told whoever has the lock.
            Decision::Won(_) => busy(request),
            Decision::Told(told) => told,
        };
        session.roll_back_in_background();
        Ok(Claimed::Told(told))
    }

    async fn begin(
        &self,
        _request: &Request,
        claim: &Claim,
    ) -> Result<Claimed<Self::Tx>, StoreError> {
        const DOING: &str = "beginning the handler's transaction";
        let mut dead = self.pool.num_idle();
        loop {
            let mut session = self.session(DOING).await?;
            let error = match session.begin(files::BEGIN.into_sql_str()).await {
                Ok(()) => return Ok(Claimed::Won(Tx::new(session, claim))),
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
        const MOVED: &str = "completing a claim whose handler changed the session's database; \
             write the database's name before the table's instead of `use`";
        let session = tx.session();
        let seal = match session.ask_in_turn(files::SEAL).await {
            Ok(seal) if seal.fine => seal,
            Ok(_) => return Err(StoreError::new(StoreErrorKind::Permanent, MOVED)),
            Err(error) if is_unsealed(&error) => return Ok(Held::Lost),
            Err(error) => return Err(failed(DOING, error)),
        };
        for files in files_of(request, claim) {
            let completed = bound(&files.complete(request, claim, completion))
                .execute(session.connection_mut())
                .await;
            match completed {
                Ok(done) if done.rows_affected() > 0 => {
                    return Ok(Held::Yes(moment(seal.millis)));
                }
                Ok(_) => {}
                Err(error) if is_taken(&error) => return Ok(Held::Lost),
                Err(error) => return Err(failed(DOING, error)),
            }
        }
        Ok(Held::Lost)
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

    async fn ended(&self, tx: &mut Self::Tx, conflict: bool) -> Option<Ended> {
        if conflict {
            return None;
        }
        match tx.session().ask_in_turn(files::SEAL).await {
            Err(error) if is_unsealed(&error) => Some(Ended::Unknown),
            Ok(_) | Err(_) => None,
        }
    }

    async fn fail_in(
        &self,
        tx: Self::Tx,
        request: &Request,
        claim: &Claim,
        reason: &str,
    ) -> Result<Held, StoreError> {
        let remains = Remains::Unknown(reason);
        let mut session = tx.into_session();
        if session.undo().await.is_ok() {
            for files in files_of(request, claim) {
                let recorded = bound(&files.fail(request, claim, remains))
                    .execute(session.connection_mut())
                    .await;
                if recorded.is_ok_and(|done| done.rows_affected() > 0) {
                    return match session.commit().await {
                        Ok(()) => Ok(Held::Yes(())),
                        Err(_) => self.fail(request, claim, remains).await,
                    };
                }
            }
        }
        // Where the connection is gone, the server rolls back by itself.
        drop(session.roll_back().await);
        self.fail(request, claim, remains).await
    }
}

async fn read(session: &mut Session, key: &Key) -> Result<Found, sqlx::Error> {
    let found = of_key(&files::READ, key).fetch_all(session.asking()).await;
    let found = session.answered(found)?;
    Ok(found.first().map(|columns| row::read(columns, key)))
}

/// Runs a statement that is a transaction of its own. One that lost against another did nothing, and
/// is sent again. A row that the unique key refused was not written.
async fn write(
    session: &mut Session,
    doing: &'static str,
    statement: &Statement<'_, &'static Numbered>,
) -> Result<u64, StoreError> {
    let mut rounds = ROUNDS;
    loop {
        rounds -= 1;
        let done = bound(statement).execute(session.asking()).await;
        match session.answered(done) {
            Ok(done) => return Ok(done.rows_affected()),
            Err(error) if is_taken(&error) => return Ok(0),
            Err(error) if rounds > 0 && is_conflict(&error) => {}
            Err(error) => return Err(failed(doing, error)),
        }
    }
}

fn moment(millis: i64) -> SystemTime {
    row::moment(millis).unwrap_or(SystemTime::UNIX_EPOCH)
}
