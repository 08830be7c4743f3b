//! The reference store's transaction: named values instead of a driver's connection.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::time::SystemTime;

use super::MemoryStore;
use crate::claim::Claim;
use crate::store::{Request, Transaction};
use crate::{Fence, Key};

/// A transaction of the [`MemoryStore`]: named values that are visible to others when the
/// operation is committed.
pub struct Tx<'t> {
    store: MemoryStore,
    pub(super) writes: BTreeMap<String, Vec<u8>>,
    pub(super) completion: Option<Owned>,
    fence: Fence,
    attempt: u32,
    _reserved: Option<Reserved>,
    _life: PhantomData<&'t ()>,
}

/// A completion that waits for its commit.
pub(super) struct Owned {
    pub(super) request: Request,
    pub(super) claim: Claim,
    pub(super) kind: crate::claim::ResultKind,
    pub(super) bytes: Option<Vec<u8>>,
    pub(super) version: u32,
    pub(super) completed_at: SystemTime,
}

/// An operation's keys at work, until the transaction ends.
pub(super) struct Reserved {
    pub(super) store: MemoryStore,
    pub(super) keys: Vec<Key>,
}

impl Drop for Reserved {
    fn drop(&mut self) {
        let mut shared = self.store.lock();
        for key in &self.keys {
            shared.at_work.remove(key);
        }
    }
}

impl Tx<'_> {
    pub(super) fn new(
        store: &MemoryStore,
        claim: &Claim,
        reserved: Option<Reserved>,
    ) -> Tx<'static> {
        Tx {
            store: store.clone(),
            writes: BTreeMap::new(),
            completion: None,
            fence: claim.fence,
            attempt: claim.attempt,
            _reserved: reserved,
            _life: PhantomData,
        }
    }

    /// Writes a named value.
    pub fn put(&mut self, name: impl Into<String>, value: impl Into<Vec<u8>>) {
        self.writes.insert(name.into(), value.into());
    }

    /// Reads a named value, as this transaction would leave it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        self.writes
            .get(name)
            .cloned()
            .or_else(|| self.store.value(name))
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
    type Store = MemoryStore;

    fn fence(&self) -> Fence {
        self.fence
    }

    fn attempt(&self) -> u32 {
        self.attempt
    }
}
