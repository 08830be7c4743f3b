//! The transaction that a handler writes in.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use sqlx::{PgConnection, Postgres};

use super::PostgresStore;
use crate::Fence;
use crate::claim::Claim;
use crate::store::Transaction;

/// The transaction that a handler writes in: claim, writes and completion commit together.
///
/// It dereferences to the driver's connection, so a statement runs on `&mut **tx`. It has no
/// commit: the library commits when the handler has returned.
///
/// **Cancel safety**: dropping it rolls back, as soon as the connection is back in its pool.
pub struct Tx<'t> {
    transaction: sqlx::Transaction<'static, Postgres>,
    fence: Fence,
    attempt: u32,
    _life: PhantomData<&'t ()>,
}

impl Tx<'_> {
    pub(super) fn new(
        transaction: sqlx::Transaction<'static, Postgres>,
        claim: &Claim,
    ) -> Tx<'static> {
        Tx {
            transaction,
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

    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        self.transaction.commit().await
    }

    pub(super) async fn rollback(self) -> Result<(), sqlx::Error> {
        self.transaction.rollback().await
    }
}

impl Deref for Tx<'_> {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.transaction
    }
}

impl DerefMut for Tx<'_> {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.transaction
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

impl Transaction for Tx<'_> {
    type Store = PostgresStore;

    fn fence(&self) -> Fence {
        self.fence
    }

    fn attempt(&self) -> u32 {
        self.attempt
    }
}
