//! A transaction that owns the database's one writer.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use idem_templates::sql::sqlite as files;
use sqlx::pool::PoolConnection;
use sqlx::{Sqlite, SqliteConnection};
use tokio::sync::OwnedMutexGuard;

use super::SqliteStore;
use super::inner::Inner;
use super::watch::Watch;
use crate::claim::Claim;
use crate::{Fence, Key};

/// The transaction that a handler writes in: claim, writes and completion commit together.
///
/// It dereferences to the driver's connection, so a statement runs on `&mut **tx`. It has no
/// commit: the library commits when the handler has returned. A `COMMIT` or `ROLLBACK` that the
/// handler sends as a statement undoes everything and makes the call a permanent error. For that the
/// store takes the connection's commit hook and rollback hook, and keeps them.
///
/// **Cancel safety**: dropping it rolls back.
pub struct Tx<'t> {
    writing: Writing,
    fence: Fence,
    attempt: u32,
    _life: PhantomData<&'t ()>,
}

impl Tx<'_> {
    pub(super) fn new(writing: Writing, claim: &Claim) -> Tx<'static> {
        Tx {
            writing,
            fence: claim.fence,
            attempt: claim.attempt,
            _life: PhantomData,
        }
    }

    /// The fence of this attempt, to be sent with writes to other systems.
    #[must_use]
    pub const fn fence(&self) -> Fence {
        self.fence
    }

    /// Which attempt this is, counted from 1.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Whether the transaction was ended by a statement, or given up by the database.
    pub(super) fn has_ended(&self) -> bool {
        self.writing.watch.has_ended()
    }

    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        self.writing.commit().await
    }

    pub(super) async fn rollback(self) -> Result<(), sqlx::Error> {
        self.writing.rollback().await
    }
}

impl Deref for Tx<'_> {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        self.writing.open()
    }
}

impl DerefMut for Tx<'_> {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        self.writing.open_mut()
    }
}

impl fmt::Debug for Tx<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tx")
            .field("fence", &self.fence)
            .field("attempt", &self.attempt)
            .finish_non_exhaustive()
    }
}

impl crate::store::Transaction for Tx<'_> {
    type Store = SqliteStore;

    fn fence(&self) -> Fence {
        self.fence
    }

    fn attempt(&self) -> u32 {
        self.attempt
    }
}

/// An open transaction with what it holds. The fields are dropped in this order: first the
/// rollback is on its way, then the next writer may ask for the lock, then the key is free.
pub(in crate::store) struct Writing {
    /// `None` only once it has been committed or rolled back.
    transaction: Option<Transaction>,
    watch: Watch,
    _writer: OwnedMutexGuard<()>,
    _lease: Option<UnderLease>,
    _reserved: Option<Reserved>,
}

type Transaction = sqlx::Transaction<'static, Sqlite>;

impl Writing {
    pub(super) async fn begin(
        writer: OwnedMutexGuard<()>,
        connection: PoolConnection<Sqlite>,
        reserved: Option<Reserved>,
    ) -> Result<Self, sqlx::Error> {
        let begin = sqlx::SqlSafeStr::into_sql_str(files::BEGIN);
        let mut transaction = sqlx::Transaction::begin(connection, Some(begin)).await?;
        let watch = Watch::over(&mut transaction).await?;
        Ok(Self {
            transaction: Some(transaction),
            watch,
            _writer: writer,
            _lease: None,
            _reserved: reserved,
        })
    }

    /// Marks the transaction as the lease of that claim.
    pub(super) fn under_lease(mut self, inner: &Arc<Inner>, key: &Key, fence: Fence) -> Self {
        *inner.writing() = Some((key.clone(), fence));
        self._lease = Some(UnderLease(Arc::clone(inner)));
        self
    }

    #[expect(
        clippy::expect_used,
        reason = "only what consumes the value takes the transaction out of it"
    )]
    fn open(&self) -> &Transaction {
        self.transaction.as_ref().expect("it is open")
    }

    #[expect(
        clippy::expect_used,
        reason = "only what consumes the value takes the transaction out of it"
    )]
    fn open_mut(&mut self) -> &mut Transaction {
        self.transaction.as_mut().expect("it is open")
    }

    pub(super) fn connection(&mut self) -> &mut SqliteConnection {
        self.open_mut()
    }

    pub(super) async fn commit(mut self) -> Result<(), sqlx::Error> {
        self.watch.lift();
        match self.transaction.take() {
            Some(transaction) => transaction.commit().await,
            None => Ok(()),
        }
    }

    pub(super) async fn rollback(mut self) -> Result<(), sqlx::Error> {
        let ended = self.watch.has_ended();
        self.watch.lift();
        match self.transaction.take() {
            Some(transaction) if ended => close_ended(transaction).await,
            Some(transaction) => transaction.rollback().await,
            None => Ok(()),
        }
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        if self.watch.has_ended()
            && let Some(transaction) = self.transaction.take()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(close_ended(transaction));
        }
    }
}

/// Gives a connection back whose transaction has ended without the driver: there has to be one that
/// can be rolled back, or the driver lends the connection as one that is in a transaction.
async fn close_ended(mut transaction: Transaction) -> Result<(), sqlx::Error> {
    let begin = sqlx::raw_sql(files::BEGIN_AGAIN)
        .execute(&mut *transaction)
        .await;
    let closed = transaction.rollback().await;
    // Where a transaction was open, it was the handler's second one: that it cannot begin is no news.
    drop(begin);
    closed
}

/// Says until dropped that the writer is held for a lease.
struct UnderLease(Arc<Inner>);

impl Drop for UnderLease {
    fn drop(&mut self) {
        *self.0.writing() = None;
    }
}

/// A key at work in this process, until dropped.
pub(super) struct Reserved {
    inner: Arc<Inner>,
    key: Key,
}

impl Reserved {
    /// Reserves the key; `None` when it is at work already.
    pub(super) fn new(inner: &Arc<Inner>, key: &Key) -> Option<Self> {
        inner.at_work().insert(key.clone()).then(|| Self {
            inner: Arc::clone(inner),
            key: key.clone(),
        })
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.inner.at_work().remove(&self.key);
    }
}
