//! What the clones of one store share.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::SqlitePool;
use tokio::sync::OwnedMutexGuard;

use crate::store::Request;
use crate::{Fence, Key};

pub(super) struct Inner {
    pub(super) pool: SqlitePool,
    pub(super) busy_timeout: Duration,
    /// Whoever holds it may ask the database for its writer.
    pub(super) writer: Arc<tokio::sync::Mutex<()>>,
    /// Keys of fused claims that this process works on or queues for.
    pub(super) at_work: Mutex<HashSet<Key>>,
    /// The claim whose transaction holds the writer.
    pub(super) writing: Mutex<Option<(Key, Fence)>>,
}

impl Inner {
    /// Waits for this process's turn to write, at most the busy timeout.
    pub(super) async fn queue(&self) -> Option<OwnedMutexGuard<()>> {
        let turn = Arc::clone(&self.writer).lock_owned();
        tokio::time::timeout(self.busy_timeout, turn).await.ok()
    }

    pub(super) fn at_work(&self) -> MutexGuard<'_, HashSet<Key>> {
        // Nothing is left half-done under this lock, so a panic elsewhere spoils nothing.
        self.at_work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this process works on the operation, under whatever key.
    pub(super) fn is_at_work(&self, request: &Request) -> bool {
        let at_work = self.at_work();
        let mut previous = request.previous_keys().iter();
        at_work.contains(request.key()) || previous.any(|known| at_work.contains(known.key()))
    }

    pub(super) fn writing(&self) -> MutexGuard<'_, Option<(Key, Fence)>> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
