//! Where claims are kept: what a store promises, and what its implementor owes.
//!
//! ```text
//!             claim                    complete
//!  (absent) ─────────► in_flight(fence) ─────────► done(result)
//!      ▲                 │   ▲   │
//!      │ expired         │   │   └─ lease over, an irreversible effect had begun ─► ambiguous(reason)
//!      │                 │   └── claim again: fence+1, attempt+1 ──┐
//!      └───────── fail, no effect ► failed ─────────────────────────┘
//! ```
//!
//! A row past its window means *absent* for a claim, whether swept or not. Rows that are
//! `in_flight` or `ambiguous` never expire.
//!
//! # What an implementor owes
//!
//! Each number is a heading of the conformance suite, which runs against every store.
//!
//! 1. Of any number of concurrent claims of one key exactly one is won. One conditional statement
//!    judged by the store's own unique constraint decides, never a read followed by a write.
//! 2. A loser never waits on the winner's lock: it is told [`Told::Busy`] at once. A store with
//!    one writer for everything waits at most its busy timeout, and then says the same.
//! 3. Only the store's clock judges leases and windows. No method takes a point in time.
//! 4. Every answer of [`claim::decide`](crate::claim::decide) is a value. The only error is that
//!    the store could not be asked, classified beside the driver, by codes.
//! 5. When the store cannot be asked, nothing was changed, or the next claim finds out what was.
//! 6. A completion is conditional on key, fence and state. Where it finds no row, or the
//!    transaction that it was to share has [ended](TransactionalStore::ended), it changes nothing
//!    and says [`Held::Lost`].
//! 7. [`TransactionalStore::Tx`] tells the handler its fence and its attempt.
//! 8. A renewal is conditional on key and fence; a refused one changes nothing.
//! 9. A transaction that lost against a concurrent one is reported by
//!    [`StoreError::is_conflict`], whether a statement or the commit found out.
//! 10. A transaction that is dropped is rolled back.
//!     [`Store::abandon`] gives a dropped attempt back, conditional on the fence.
//! 16. [`Store::sweep`] deletes only `done` and `failed` rows past their window, in one bounded
//!     batch that skips locked rows, in a transaction of its own.
//! 17. The window runs from completion, and reading does not renew it.
//! 19. A result is returned byte for byte as it was stored.
//!
//! What [`Desk`] and [`EffectStore`] ask for besides stands there.

mod effects;
pub mod memory;
#[cfg(feature = "mysql")]
pub mod mysql;
#[cfg(feature = "postgres")]
pub mod postgres;
mod request;
#[cfg(any(feature = "sqlite", feature = "postgres", feature = "mysql"))]
mod sql;
#[cfg(feature = "sqlite")]
pub mod sqlite;
pub(crate) mod unbroken;

pub use self::request::{Previous, Request};

pub use self::effects::{BegunEffect, EffectStore};
use std::error::Error as StdError;
use std::future::Future;
use std::time::SystemTime;

use crate::claim::{Claim, ResultKind, Row, Told};
use crate::desk::Desk;
use crate::{Fence, Key, StoreError, StoredError};

/// A claim's answer: what was won, or why it was not.
#[derive(Debug)]
pub enum Claimed<W> {
    /// The caller owns the key.
    Won(W),
    /// It does not.
    Told(Told),
}

/// Whether a claim was still held when a statement conditional on it ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held<T = ()> {
    /// It was, and the statement took effect.
    Yes(T),
    /// It was not; nothing was changed.
    Lost,
}

/// A result to be stored.
#[derive(Clone, Copy, Debug)]
pub struct Completion<'a> {
    /// What kind of result it is.
    pub kind: ResultKind,
    /// Its bytes; `None` exactly for a tombstone.
    pub bytes: Option<&'a [u8]>,
    /// The version of its type.
    pub version: u32,
}

/// What remains of an attempt that did not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remains<'a> {
    /// Nothing: the next attempt may run at once.
    Nothing,
    /// Perhaps an effect: a person decides. The text says what is known.
    Unknown(&'a str),
}

/// How a handler's transaction ended that the library did not end: the handler sent a `COMMIT` or a
/// `ROLLBACK` of its own, or the database gave the transaction up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ended {
    /// Nothing of the attempt is committed.
    Undone,
    /// Something of it may be.
    Unknown,
}

/// Where a call stands, for an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Point {
    /// The claim is won, the handler has not begun.
    Claimed,
    /// An effect outside the store is said to begin, and is not performed yet.
    BeforeEffect,
    /// An effect outside the store has been performed, and is not recorded.
    AfterEffect,
    /// An effect outside the store is recorded.
    EffectRecorded,
    /// The handler has returned, nothing is recorded yet.
    HandlerDone,
    /// The completion is written, the transaction is not committed.
    BeforeCommit,
    /// The transaction is committed, the caller does not know it.
    AfterCommit,
}

/// Is told when a call passes a [`Point`]: a drill stops a process there.
pub trait Observer: Send + Sync {
    /// A call is at this point, and goes on when this returns.
    fn at(&self, point: Point);

    /// A call is about to claim that.
    fn asks(&self, request: &Request) {
        let _ = request;
    }
}

/// A place that remembers operations.
///
/// Every method is one transition of the drawing above, named by its word.
///
/// **Cancel safety**: a dropped future may or may not have taken effect; claims and completions
/// are conditional on the fence, so asking again is safe.
pub trait Store: Clone + Send + Sync + 'static {
    /// Reads the row of a key, judged by the store's clock. Writes nothing.
    fn read(
        &self,
        key: &Key,
    ) -> impl Future<Output = Result<Option<Result<Row, StoredError>>, StoreError>> + Send;

    /// Claims the key of a leased workflow, and commits the claim.
    fn claim(
        &self,
        request: &Request,
    ) -> impl Future<Output = Result<Claimed<Claim>, StoreError>> + Send;

    /// Renews the lease of a leased claim: it runs anew from now.
    fn renew(
        &self,
        request: &Request,
        claim: &Claim,
    ) -> impl Future<Output = Result<Held, StoreError>> + Send;

    /// Completes a claim outside the handler's transaction, which was rolled back: a definitive
    /// refusal. Returns when it was stored.
    fn complete(
        &self,
        request: &Request,
        claim: &Claim,
        completion: Completion<'_>,
    ) -> impl Future<Output = Result<Held<SystemTime>, StoreError>> + Send;

    /// Marks a claim whose transaction was rolled back as failed, or as ambiguous.
    fn fail(
        &self,
        request: &Request,
        claim: &Claim,
        remains: Remains<'_>,
    ) -> impl Future<Output = Result<Held, StoreError>> + Send;

    /// Gives a leased claim back: its attempt does not count, its fence stays used.
    fn release(
        &self,
        request: &Request,
        claim: &Claim,
    ) -> impl Future<Output = Result<Held, StoreError>> + Send;

    /// The same from a destructor, in the background where there is a runtime; otherwise the
    /// lease decides.
    fn abandon(&self, request: Request, claim: Claim);

    /// Deletes up to `batch` finished rows past their window, and returns how many.
    fn sweep(&self, batch: u32) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Creates or upgrades the tables. Safe when several processes do it at once. Returns the
    /// numbers of the migrations that this call applied.
    fn migrate(&self) -> impl Future<Output = Result<Vec<u32>, StoreError>> + Send;

    /// Refuses tables that lack what this version needs, naming the missing migration.
    fn check(&self) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// What an error of this store's driver means, when it is one.
    fn classify(&self, error: &(dyn StdError + 'static)) -> Option<StoreError>;

    /// A call is at this point.
    fn observe(&self, point: Point) {
        let _ = point;
    }

    /// A call is about to claim that.
    fn observe_request(&self, request: &Request) {
        let _ = request;
    }
}

/// A store whose transaction the handler's own writes can join.
pub trait TransactionalStore: Desk {
    /// The transaction that a handler is given.
    type Tx: Transaction<Store = Self> + Send + 'static;

    /// Claims the key of a fused workflow, in the transaction that the handler will write in.
    fn claim_in(
        &self,
        request: &Request,
    ) -> impl Future<Output = Result<Claimed<(Self::Tx, Claim)>, StoreError>> + Send;

    /// Begins the transaction of a claim that is already committed. A store with one writer for
    /// everything may say [`Told::Busy`].
    fn begin(
        &self,
        request: &Request,
        claim: &Claim,
    ) -> impl Future<Output = Result<Claimed<Self::Tx>, StoreError>> + Send;

    /// Completes a claim in the handler's transaction, which is not committed yet. Returns the
    /// completion's time.
    fn complete_in(
        &self,
        tx: &mut Self::Tx,
        request: &Request,
        claim: &Claim,
        completion: Completion<'_>,
    ) -> impl Future<Output = Result<Held<SystemTime>, StoreError>> + Send;

    /// Commits.
    fn commit(&self, tx: Self::Tx) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Rolls back.
    fn rollback(&self, tx: Self::Tx) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Whether the transaction has ended already, and how. `None` while it is the one that was
    /// begun, and where that cannot be found out. `conflict` says that it lost against a concurrent
    /// one, as the error tells: a database that ends a transaction by that has undone it, which is
    /// not what is asked here.
    ///
    /// A completion in a transaction that has ended changes nothing and says [`Held::Lost`].
    fn ended(
        &self,
        tx: &mut Self::Tx,
        conflict: bool,
    ) -> impl Future<Output = Option<Ended>> + Send {
        let _ = (tx, conflict);
        std::future::ready(None)
    }

    /// Rolls a fused attempt back and marks it as ambiguous, in such an order that nobody wins the
    /// key in between. A database that has given the transaction up already, because a statement
    /// failed, has freed the key with it: then a claim may come in between, and its completion finds
    /// the mark and is rolled back.
    fn fail_in(
        &self,
        tx: Self::Tx,
        request: &Request,
        claim: &Claim,
        reason: &str,
    ) -> impl Future<Output = Result<Held, StoreError>> + Send {
        async move {
            let recorded = self.fail(request, claim, Remains::Unknown(reason)).await;
            // What cannot be rolled back is gone, and the store rolls it back by itself.
            drop(self.rollback(tx).await);
            recorded
        }
    }
}

/// A transaction that a handler can be given; its type names the store.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a transaction of a store",
    label = "not a transaction",
    note = "write `tx: &mut idem::sqlite::Tx<'_>`, `idem::postgres::Tx<'_>` or `idem::mysql::Tx<'_>` as the handler's first argument"
)]
pub trait Transaction {
    /// The store that it belongs to.
    type Store: TransactionalStore;

    /// The fence of this attempt, to be sent with writes to other systems.
    fn fence(&self) -> Fence;

    /// Which attempt this is, counted from 1.
    fn attempt(&self) -> u32;
}
