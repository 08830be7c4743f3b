//! The transaction that a handler writes in.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use sqlx::MySqlConnection;

use super::MysqlStore;
use super::session::Session;
use crate::Fence;
use crate::claim::Claim;
use crate::store::Transaction;

/// The transaction that a handler writes in: claim, writes and completion commit together.
///
/// It dereferences to the driver's connection, so a statement runs on `&mut **tx`. It has no
/// commit: the library commits when the handler has returned. A handler that ends the transaction
/// itself, also by a statement that commits (`create table`, `truncate`), is refused its completion.
///
/// **Cancel safety**: dropping it closes its connection, and the server rolls back.
pub struct Tx<'t> {
    session: Session,
    fence: Fence,
    attempt: u32,
    _life: PhantomData<&'t ()>,
}

impl Tx<'_> {
    pub(super) fn new(session: Session, claim: &Claim) -> Tx<'static> {
        Tx {
            session,
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

    pub(super) fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    pub(super) fn into_session(self) -> Session {
        self.session
    }

    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        self.session.commit().await
    }

    pub(super) async fn rollback(self) -> Result<(), sqlx::Error> {
        self.session.roll_back().await
    }
}

impl Deref for Tx<'_> {
    type Target = MySqlConnection;

    fn deref(&self) -> &MySqlConnection {
        self.session.connection()
    }
}

impl DerefMut for Tx<'_> {
    fn deref_mut(&mut self) -> &mut MySqlConnection {
        self.session.connection_mut()
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
    type Store = MysqlStore;

    fn fence(&self) -> Fence {
        self.fence
    }

    fn attempt(&self) -> u32 {
        self.attempt
    }
}
