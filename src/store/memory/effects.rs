//! Effects outside the store, beside their operation.

use std::time::SystemTime;

use super::{MemoryStore, Shared};
use crate::claim::{Claim, Status};
use crate::store::{BegunEffect, EffectStore, Held, Request};
use crate::{Effect, Fence, Key, StoreError};

/// What a handler with effects outside the store is given.
pub type Operation<'o> = crate::Operation<'o, super::Tx<'static>>;

/// An effect that began.
#[derive(Clone)]
pub(super) struct Kept {
    effect: &'static str,
    fence: Fence,
    /// Until when its provider surely remembers its key; `None` where nothing deduplicates.
    keyed_until: Option<SystemTime>,
    result: Option<Vec<u8>>,
}

impl Kept {
    fn is_open(&self) -> bool {
        self.result.is_none()
    }

    /// Whether it may have happened, and its provider may have forgotten its key.
    fn is_overdue(&self, now: SystemTime) -> bool {
        self.is_open() && self.keyed_until.is_some_and(|until| until <= now)
    }

    pub(super) fn is_recorded(&self) -> bool {
        self.result.is_some()
    }
}

impl super::Kept {
    /// The effect that may have happened and that nobody may perform again.
    pub(super) fn lost_effect(&self, now: SystemTime) -> Option<String> {
        self.effects
            .iter()
            .filter(|kept| kept.is_open())
            .find(|kept| kept.keyed_until.is_none_or(|until| until <= now))
            .map(|kept| kept.effect.to_owned())
    }

    fn has_open_keyed_effect(&self) -> bool {
        self.effects
            .iter()
            .any(|kept| kept.is_open() && kept.keyed_until.is_some())
    }
}

impl Shared {
    /// What a row that takes another's place keeps of its effects: nothing past its window, and no
    /// open one once a person has said that the attempt failed.
    pub(super) fn carried(&self, key: &Key, status: Status, now: SystemTime) -> Vec<Kept> {
        let Some(found) = self.rows.get(key).filter(|found| !found.is_expired(now)) else {
            return Vec::new();
        };
        let mut effects = found.effects.clone();
        if found.row.status == Status::Failed && status == Status::InFlight {
            effects.retain(|kept| !kept.is_open());
        }
        effects
    }

    /// Ends an attempt that left nothing behind. Where a keyed effect is open, nothing has failed: the
    /// next claim judges whether its provider still remembers the key.
    pub(super) fn give_up(&mut self, request: &Request, claim: &Claim) {
        let open = self
            .rows
            .get(request.key())
            .is_some_and(super::Kept::has_open_keyed_effect);
        if !open {
            self.insert(request, claim, Status::Failed);
            return;
        }
        self.insert(request, claim, Status::InFlight);
        let now = self.now();
        if let Some(kept) = self.rows.get_mut(request.key()) {
            kept.lease_until = now;
        }
    }

    /// The effects of a claim that is held.
    fn held(&mut self, request: &Request, claim: &Claim) -> Option<&mut Vec<Kept>> {
        if !self.holds(request, claim) {
            return None;
        }
        self.rows
            .get_mut(request.key())
            .map(|kept| &mut kept.effects)
    }
}

impl EffectStore for MemoryStore {
    const BESIDE_TRANSACTION: bool = true;

    async fn effects(&self, request: &Request) -> Result<Vec<BegunEffect>, StoreError> {
        let shared = self.lock();
        let found = shared.rows.get(request.key());
        Ok(found
            .into_iter()
            .flat_map(|kept| &kept.effects)
            .map(|kept| BegunEffect {
                effect: kept.effect.to_owned(),
                result: kept.result.clone(),
            })
            .collect())
    }

    async fn begin_effect(
        &self,
        request: &Request,
        claim: &Claim,
        effect: &Effect,
    ) -> Result<Held, StoreError> {
        let mut shared = self.lock();
        let until = effect
            .key_lifetime()
            .map(|lifetime| shared.now() + lifetime);
        let now = shared.now();
        let Some(effects) = shared.held(request, claim) else {
            return Ok(Held::Lost);
        };
        if effects.iter().any(|kept| kept.is_overdue(now)) {
            return Ok(Held::Lost);
        }
        let found = effects
            .iter()
            .position(|kept| kept.effect == effect.name())
            .map(|at| effects.remove(at));
        // What counts is the first beginning: that is when the provider may have seen the key.
        let first = found
            .filter(Kept::is_open)
            .and_then(|kept| kept.keyed_until)
            .or(until);
        effects.push(Kept {
            effect: effect.name(),
            fence: claim.fence,
            keyed_until: until.and(first),
            result: None,
        });
        Ok(Held::Yes(()))
    }

    async fn record_effect(
        &self,
        request: &Request,
        claim: &Claim,
        effect: &Effect,
        result: &[u8],
    ) -> Result<Held, StoreError> {
        let mut shared = self.lock();
        let begun = shared.held(request, claim).and_then(|effects| {
            effects
                .iter_mut()
                .find(|kept| kept.effect == effect.name() && kept.fence == claim.fence)
        });
        Ok(match begun {
            Some(kept) => {
                kept.result = Some(result.to_vec());
                Held::Yes(())
            }
            None => Held::Lost,
        })
    }

    async fn clear_effect(
        &self,
        request: &Request,
        claim: &Claim,
        effect: &Effect,
    ) -> Result<Held, StoreError> {
        let mut shared = self.lock();
        let Some(effects) = shared.held(request, claim) else {
            return Ok(Held::Lost);
        };
        let before = effects.len();
        effects.retain(|kept| {
            kept.effect != effect.name() || kept.fence != claim.fence || !kept.is_open()
        });
        Ok(if effects.len() < before {
            Held::Yes(())
        } else {
            Held::Lost
        })
    }
}
