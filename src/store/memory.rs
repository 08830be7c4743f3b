//! The reference store: the whole table of the specification in one process's memory.
//!
//! It is for tests and for reading: a restart forgets everything, and so does a second replica.
//! Its transaction holds small named values, so that a test can see what a handler committed.

mod desk;
mod effects;
mod tx;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::error::Error as StdError;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use self::desk::Filed;
use self::effects::Kept as KeptEffect;
pub use self::effects::Operation;
pub use self::tx::Tx;
use self::tx::{Owned, Reserved};
use super::{
    Claimed, Completion, Held, Observer, Point, Remains, Request, Store, TransactionalStore,
};
use crate::claim::{
    Claim, Decision, FUSED_RETRY, Followed, Row, Status, StoredResult, Told, decide_among,
};
use crate::desk::Hooks;
use crate::{Key, Mode, StoreError, StoredError};

/// A store in this process's memory.
///
/// Clones share what is stored.
#[derive(Clone, Default)]
pub struct MemoryStore {
    shared: Arc<Mutex<Shared>>,
    observer: Option<Arc<dyn Observer>>,
    hooks: Hooks,
}

#[derive(Default)]
struct Shared {
    rows: HashMap<Key, Kept>,
    /// Keys of open fused transactions: what an uncommitted row is to a database.
    at_work: HashSet<Key>,
    values: BTreeMap<String, Vec<u8>>,
    filed: Filed,
    ahead: Duration,
}

/// A row with its moments, which only this store's clock may compare.
#[derive(Clone)]
struct Kept {
    row: Row,
    tenant: Option<String>,
    claimed_at: SystemTime,
    lease_until: SystemTime,
    /// `None` is never.
    expires_at: Option<SystemTime>,
    /// The effects outside the store that began in this window.
    effects: Vec<KeptEffect>,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same store, telling this observer when a call passes a point.
    #[must_use]
    pub fn observed(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Puts the store's clock ahead: leases and windows run out without waiting.
    pub fn advance(&self, by: Duration) {
        self.lock().ahead += by;
    }

    /// The committed value of that name.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<Vec<u8>> {
        self.lock().values.get(name).cloned()
    }

    /// How many committed values there are.
    #[must_use]
    pub fn values(&self) -> usize {
        self.lock().values.len()
    }

    /// How many rows there are, expired ones included.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.lock().rows.len()
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        // Nothing is left half-done under this lock, so a panic elsewhere spoils nothing.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").finish_non_exhaustive()
    }
}

impl Shared {
    fn now(&self) -> SystemTime {
        SystemTime::now() + self.ahead
    }

    fn judged(&self, key: &Key) -> Option<Row> {
        let now = self.now();
        self.rows.get(key).map(|kept| Row {
            expired: kept.is_expired(now),
            lease_left: kept.lease_left(now),
            begun_effect: kept.lost_effect(now),
            ..kept.row.clone()
        })
    }

    fn decide(&self, request: &Request) -> Decision {
        let now = self.now();
        let previous = (0..)
            .zip(request.previous_keys())
            .filter(|(_, known)| now < known.until())
            .filter_map(|(at, known)| Some((at, self.judged(known.key())?)));
        decide_among(self.judged(request.key()), previous, request)
    }

    fn insert(&mut self, request: &Request, claim: &Claim, status: Status) -> &mut Row {
        let now = self.now();
        let workflow = request.workflow();
        let fingerprint = request.fingerprint();
        let row = Row {
            workflow: workflow.name().to_owned(),
            status,
            expired: false,
            lease_left: None,
            request_hash: fingerprint.digest().to_vec(),
            hash_recipe: fingerprint.version(),
            field_digests: fingerprint.field_digests(),
            attempt: claim.attempt,
            fence: claim.fence,
            result: None,
            begun_effect: None,
            ambiguous_reason: None,
        };
        let kept = Kept {
            row,
            tenant: request.tenant_name().map(str::to_owned),
            claimed_at: now,
            lease_until: now + workflow.lease().duration(),
            expires_at: workflow
                .window()
                .millis()
                .map(|millis| now + Duration::from_millis(millis.unsigned_abs())),
            effects: self.carried(request.key(), status, now),
        };
        &mut self
            .rows
            .entry(request.key().clone())
            .insert_entry(kept)
            .into_mut()
            .row
    }

    /// Whether the row is still the one that the claim is about: a fused claim follows the row it
    /// found, a leased one owns the row it wrote.
    fn holds(&self, request: &Request, claim: &Claim) -> bool {
        let found = self.rows.get(request.key()).map(|kept| Followed {
            fence: kept.row.fence,
            status: kept.row.status,
        });
        match request.workflow().claim_mode() {
            Mode::Fused => found == claim.followed,
            Mode::Leased => {
                found
                    == Some(Followed {
                        fence: claim.fence,
                        status: Status::InFlight,
                    })
            }
        }
    }

    fn complete(
        &mut self,
        request: &Request,
        claim: &Claim,
        completion: Completion<'_>,
        completed_at: SystemTime,
    ) -> Held<SystemTime> {
        if !self.holds(request, claim) {
            return Held::Lost;
        }
        let row = self.insert(request, claim, Status::Done);
        row.result = Some(StoredResult {
            kind: completion.kind,
            bytes: completion.bytes.unwrap_or_default().to_vec(),
            version: completion.version,
            completed_at,
        });
        Held::Yes(completed_at)
    }
}

impl Kept {
    fn is_expired(&self, now: SystemTime) -> bool {
        let ends = matches!(self.row.status, Status::Done | Status::Failed);
        ends && self.expires_at.is_some_and(|at| at <= now)
    }

    fn lease_left(&self, now: SystemTime) -> Option<Duration> {
        match self.row.status {
            Status::InFlight => self
                .lease_until
                .duration_since(now)
                .ok()
                .filter(|left| !left.is_zero()),
            Status::Done | Status::Failed | Status::Ambiguous => None,
        }
    }
}

impl Store for MemoryStore {
    async fn read(&self, key: &Key) -> Result<Option<Result<Row, StoredError>>, StoreError> {
        Ok(self.lock().judged(key).map(Ok))
    }

    async fn claim(&self, request: &Request) -> Result<Claimed<Claim>, StoreError> {
        let mut shared = self.lock();
        Ok(match shared.decide(request) {
            Decision::Won(claim) => {
                let mut going_on = request.clone();
                going_on.go_on(&claim);
                shared.insert(&going_on, &claim, Status::InFlight);
                Claimed::Won(claim)
            }
            Decision::Told(told) => Claimed::Told(told),
        })
    }

    async fn renew(&self, request: &Request, claim: &Claim) -> Result<Held, StoreError> {
        let mut shared = self.lock();
        if !shared.holds(request, claim) {
            return Ok(Held::Lost);
        }
        let until = shared.now() + request.workflow().lease().duration();
        if let Some(kept) = shared.rows.get_mut(request.key()) {
            kept.lease_until = until;
        }
        Ok(Held::Yes(()))
    }

    async fn complete(
        &self,
        request: &Request,
        claim: &Claim,
        completion: Completion<'_>,
    ) -> Result<Held<SystemTime>, StoreError> {
        let mut shared = self.lock();
        let now = shared.now();
        Ok(shared.complete(request, claim, completion, now))
    }

    async fn fail(
        &self,
        request: &Request,
        claim: &Claim,
        remains: Remains<'_>,
    ) -> Result<Held, StoreError> {
        let mut shared = self.lock();
        if !shared.holds(request, claim) {
            return Ok(Held::Lost);
        }
        match remains {
            Remains::Nothing => shared.give_up(request, claim),
            Remains::Unknown(reason) => {
                shared
                    .insert(request, claim, Status::Ambiguous)
                    .ambiguous_reason = Some(reason.to_owned());
            }
        }
        Ok(Held::Yes(()))
    }

    async fn release(&self, request: &Request, claim: &Claim) -> Result<Held, StoreError> {
        let mut shared = self.lock();
        if !shared.holds(request, claim) {
            return Ok(Held::Lost);
        }
        let given_back = Claim {
            attempt: claim.attempt - 1,
            ..*claim
        };
        shared.give_up(request, &given_back);
        Ok(Held::Yes(()))
    }

    fn abandon(&self, request: Request, claim: Claim) {
        let mut shared = self.lock();
        if shared.holds(&request, &claim) {
            let given_back = Claim {
                attempt: claim.attempt - 1,
                ..claim
            };
            shared.give_up(&request, &given_back);
        }
    }

    async fn sweep(&self, batch: u32) -> Result<u64, StoreError> {
        let mut shared = self.lock();
        let now = shared.now();
        let keys: Vec<Key> = shared
            .rows
            .iter()
            .filter(|(key, kept)| kept.is_expired(now) && !shared.at_work.contains(key))
            .map(|(key, _)| key.clone())
            .take(batch as usize)
            .collect();
        for key in &keys {
            shared.rows.remove(key);
        }
        Ok(keys.len() as u64)
    }

    async fn migrate(&self) -> Result<Vec<u32>, StoreError> {
        Ok(Vec::new())
    }

    async fn check(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn classify(&self, _error: &(dyn StdError + 'static)) -> Option<StoreError> {
        None
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

impl TransactionalStore for MemoryStore {
    type Tx = Tx<'static>;

    async fn claim_in(&self, request: &Request) -> Result<Claimed<(Self::Tx, Claim)>, StoreError> {
        let mut shared = self.lock();
        let previous = request.previous_keys().iter().map(|known| known.key());
        let keys: Vec<Key> = std::iter::once(request.key())
            .chain(previous)
            .cloned()
            .collect();
        if keys.iter().any(|key| shared.at_work.contains(key)) {
            let retry_after = FUSED_RETRY.min(request.workflow().lease().duration());
            return Ok(Claimed::Told(Told::Busy { retry_after }));
        }
        Ok(match shared.decide(request) {
            Decision::Won(claim) => {
                shared.at_work.extend(keys.iter().cloned());
                let reserved = Reserved {
                    store: self.clone(),
                    keys,
                };
                Claimed::Won((Tx::new(self, &claim, Some(reserved)), claim))
            }
            Decision::Told(told) => Claimed::Told(told),
        })
    }

    async fn begin(
        &self,
        _request: &Request,
        claim: &Claim,
    ) -> Result<Claimed<Self::Tx>, StoreError> {
        Ok(Claimed::Won(Tx::new(self, claim, None)))
    }

    async fn complete_in(
        &self,
        tx: &mut Self::Tx,
        request: &Request,
        claim: &Claim,
        completion: Completion<'_>,
    ) -> Result<Held<SystemTime>, StoreError> {
        let shared = self.lock();
        if !shared.holds(request, claim) {
            return Ok(Held::Lost);
        }
        let owned = Owned {
            request: request.clone(),
            claim: *claim,
            kind: completion.kind,
            bytes: completion.bytes.map(<[u8]>::to_vec),
            version: completion.version,
            completed_at: shared.now(),
        };
        let completed_at = owned.completed_at;
        tx.completion = Some(owned);
        Ok(Held::Yes(completed_at))
    }

    async fn commit(&self, mut tx: Self::Tx) -> Result<(), StoreError> {
        let mut shared = self.lock();
        if let Some(done) = &tx.completion {
            let completion = Completion {
                kind: done.kind,
                bytes: done.bytes.as_deref(),
                version: done.version,
            };
            // Taken over between completion and commit: a database would have made the new owner
            // wait for this transaction; here the commit loses.
            let at = done.completed_at;
            if shared.complete(&done.request, &done.claim, completion, at) == Held::Lost {
                return Err(StoreError::conflict("committing the handler's transaction"));
            }
        }
        shared.values.append(&mut tx.writes);
        // The reservation's destructor takes the lock itself.
        drop(shared);
        Ok(())
    }

    async fn rollback(&self, _tx: Self::Tx) -> Result<(), StoreError> {
        Ok(())
    }
}
