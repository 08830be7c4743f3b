//! A call whose answer would be that nobody knows, and a probe that may know.

use serde::Serialize;

use super::call::Call;
use super::end::{note, record_end};
use crate::claim::{Claim, Status};
use crate::observe;
use crate::store::{EffectStore, Held, Remains, TransactionalStore};
use crate::{Effect, Error, Outcome, Probe, Probed};

/// A probe's answer without its type.
pub enum Answered {
    /// It happened, and returned these bytes.
    Happened(Vec<u8>),
    /// It did not happen.
    DidNotHappen,
    /// Nobody can tell.
    CannotTell,
}

/// Takes a probe's type away. A value that cannot be stored tells nothing.
pub fn answered<T: Serialize>(probed: Probed<T>) -> Answered {
    match probed {
        Probed::Happened(value) => match serde_json::to_vec(&value) {
            Ok(bytes) => Answered::Happened(bytes),
            Err(_) => Answered::CannotTell,
        },
        Probed::DidNotHappen => Answered::DidNotHappen,
        Probed::CannotTell => Answered::CannotTell,
    }
}

impl<S: EffectStore + TransactionalStore, R, E> Call<'_, S, R, E> {
    /// Claims, or settles the turn before; then what a probe is to be asked, if the answer would be
    /// that nobody knows whether an effect happened that has one.
    ///
    /// **Cancel safety**: dropping the future gives a claim back, as dropping the call does.
    pub async fn asks(&mut self) -> Option<Probe> {
        self.go_on().await;
        let in_doubt = match &self.answer {
            Some(Ok(Outcome::Ambiguous { .. }) | Err(Error::Unknown(_))) => true,
            Some(_) | None => false,
        };
        if !in_doubt {
            return None;
        }
        let request = self.request.as_ref()?;
        let probe = self.probe().await;
        if probe.is_none() {
            note(self.store, request).await;
        }
        probe
    }

    /// A row in flight whose effect has a probe; an ambiguous one is a person's already.
    async fn probe(&self) -> Option<Probe> {
        let request = self.request.as_ref()?;
        let row = self.store.read(request.key()).await.ok()??.ok()?;
        if row.status != Status::InFlight {
            return None;
        }
        let effect = request.workflow().effect(row.begun_effect.as_deref()?)?;
        effect.probe_name()?;
        Some(Probe {
            key: request.key().clone(),
            effect: effect.name(),
            attempt: row.attempt,
            fence: row.fence,
            reason: format!(
                "`{}` had begun, and whether it happened is not recorded; its probe cannot tell",
                effect.name()
            ),
        })
    }

    /// Goes on as the probe says: claims again, or leaves the work to a retry when this call's own turn
    /// was what left the doubt, or goes to a person.
    ///
    /// **Cancel safety**: what was settled stays settled, and the next delivery goes on from there.
    pub async fn told(&mut self, probe: Probe, answered: Answered) {
        let Some(request) = self.request.clone() else {
            return;
        };
        let Some(effect) = request.workflow().effect(probe.effect) else {
            return;
        };
        let claim = Claim {
            attempt: probe.attempt,
            fence: probe.fence,
            followed: None,
            previous: None,
        };
        let answer = match answered {
            Answered::Happened(_) => "happened",
            Answered::DidNotHappen => "did not happen",
            Answered::CannotTell => "cannot tell",
        };
        observe::probed(&request, effect, answer);
        let settled = match answered {
            Answered::CannotTell => {
                let remains = Remains::Unknown(&probe.reason);
                record_end(self.store, &request, &claim, remains).await;
                return;
            }
            Answered::Happened(result) => {
                let store = self.store;
                store.record_effect(&request, &claim, effect, &result).await
            }
            Answered::DidNotHappen => self.store.clear_effect(&request, &claim, effect).await,
        };
        match settled {
            Ok(Held::Yes(())) if self.ran => {
                record_end(self.store, &request, &claim, Remains::Nothing).await;
                self.answer = Some(Err(unanswered(effect)));
            }
            // Whoever settled it meanwhile: the claim says what is true now.
            Ok(Held::Yes(()) | Held::Lost) => self.open_again(&request).await,
            Err(error) => self.answer = Some(Err(Error::Store(error))),
        }
    }
}

fn unanswered<E>(effect: &Effect) -> Error<E> {
    Error::Unanswered {
        effect: effect.name(),
    }
}
