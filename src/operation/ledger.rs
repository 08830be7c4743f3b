//! What one attempt knows of its effects, and why its handler is stopped.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::claim::Told;
use crate::{Effect, EffectKind, StoreError, StoredError};

/// Shared by an operation, which writes it, and by whoever drives and ends its handler.
#[derive(Default)]
pub(crate) struct Ledger(Mutex<State>);

#[derive(Default)]
struct State {
    /// Effects that began in this attempt and may have happened.
    open: Vec<&'static Effect>,
    /// How many are recorded.
    recorded: u32,
    stop: Option<Stop>,
}

/// Why a handler is dropped instead of being told.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The store says that the claim is lost.
    Lost,
    /// Another has the store's one writer.
    Told(Told),
    /// The store could not be asked, or was asked for what it cannot do.
    Store(StoreError),
    /// A recorded result cannot be read.
    Stored(StoredError),
    /// An effect gave no answer in time, or its answer was not waited for.
    Unanswered(&'static Effect),
}

impl Ledger {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing is left half-done under this lock, so a panic elsewhere spoils nothing.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn begun(&self, effect: &'static Effect) {
        let mut state = self.state();
        if !state.open.contains(&effect) {
            state.open.push(effect);
        }
    }

    pub(super) fn cleared(&self, effect: &'static Effect) {
        self.state().open.retain(|open| *open != effect);
    }

    pub(super) fn recorded(&self, effect: &'static Effect) {
        let mut state = self.state();
        state.open.retain(|open| *open != effect);
        state.recorded += 1;
    }

    pub(super) fn is_open(&self, effect: &'static Effect) -> bool {
        self.state().open.contains(&effect)
    }

    /// Stops the handler; the first reason counts.
    pub(super) fn stop(&self, stop: Stop) {
        self.state().stop.get_or_insert(stop);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.state().stop.is_some()
    }

    pub(crate) fn take_stop(&self) -> Option<Stop> {
        self.state().stop.take()
    }

    /// Whether anything outside the store began in this attempt.
    pub(crate) fn has_begun(&self) -> bool {
        let state = self.state();
        state.recorded > 0 || !state.open.is_empty()
    }

    /// Whether every effect in doubt has a probe, which is asked before a person is.
    pub(crate) fn asks_a_probe(&self) -> bool {
        let state = self.state();
        let doubtful = state.open.iter();
        doubtful
            .filter(|effect| effect.kind() != EffectKind::KeyedRemote)
            .all(|effect| effect.probe_name().is_some())
    }

    /// What a person is told when an effect that nobody may repeat perhaps happened.
    pub(crate) fn doubt(&self) -> Option<String> {
        let state = self.state();
        let effect = state
            .open
            .iter()
            .find(|effect| effect.kind() != EffectKind::KeyedRemote)?;
        let name = effect.name();
        Some(match &state.stop {
            Some(Stop::Unanswered(unanswered)) if unanswered == effect => {
                format!("`{name}` had begun and gave no answer in time; it may have happened")
            }
            _ => format!("`{name}` had begun, and whether it happened is not recorded"),
        })
    }
}
