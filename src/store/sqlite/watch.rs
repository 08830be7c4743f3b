//! Whose transaction it is: while a handler has it, nothing but the library may commit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use sqlx::SqliteConnection;

/// Commits go through.
const FREE: u8 = 0;
/// A handler has the transaction: a commit is refused, which makes a rollback of it.
const GUARDED: u8 = 1;
/// The transaction ended while it was guarded: nothing of it is committed, and what the handler does
/// afterwards is not either.
const ENDED: u8 = 2;
/// Nobody waits for the transaction any more, and its rollback is on its way.
const LEFT: u8 = 3;

/// The watch over one connection's transaction, kept by the database's own hooks: the statement that
/// ends a transaction is one of the handler's, and nobody else sees it.
pub(super) struct Watch(Arc<AtomicU8>);

impl Watch {
    /// Watches over the transaction that is open on this connection. The hooks stay when the watch is
    /// over, and let everything pass.
    pub(super) async fn over(connection: &mut SqliteConnection) -> Result<Self, sqlx::Error> {
        let state = Arc::new(AtomicU8::new(GUARDED));
        let (on_commit, on_rollback) = (Arc::clone(&state), Arc::clone(&state));
        let mut handle = connection.lock_handle().await?;
        handle.set_commit_hook(move || on_commit.load(Ordering::SeqCst) == FREE);
        handle.set_rollback_hook(move || ended(&on_rollback));
        Ok(Self(state))
    }

    /// Whether the transaction ended under the watch.
    pub(super) fn has_ended(&self) -> bool {
        self.0.load(Ordering::SeqCst) == ENDED
    }

    /// Ends the watch: the library ends the transaction now.
    pub(super) fn lift(&self) {
        self.0.store(FREE, Ordering::SeqCst);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // A statement of the handler's may still be running, and may be a commit: the watch is over
        // when the rollback has come, which is on its way.
        let left = self
            .0
            .compare_exchange(GUARDED, LEFT, Ordering::SeqCst, Ordering::SeqCst);
        if left == Err(ENDED) {
            self.lift();
        }
    }
}

/// The connection's transaction was rolled back. A commit that is refused is rolled back too.
fn ended(state: &AtomicU8) {
    let guarded = state.compare_exchange(GUARDED, ENDED, Ordering::SeqCst, Ordering::SeqCst);
    if guarded == Err(LEFT) {
        state.store(FREE, Ordering::SeqCst);
    }
}
