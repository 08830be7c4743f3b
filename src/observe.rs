//! Everything an observer is told: one function an event, and the counters beside it.
//!
//! Names and fields are stable and listed in `docs/observability.md`; a test compares the two. No field
//! holds a payload's value. Counters exist with the feature `metrics`.

use std::error::Error as StdError;
use std::time::{Duration, Instant};

use crate::claim::{Claim, Told};
use crate::desk::{Letter, LetterKind};
use crate::store::{Remains, Request};
use crate::{Effect, KeyError, StoreError, Workflow};

#[cfg(feature = "metrics")]
mod meters;
#[cfg(not(feature = "metrics"))]
mod unmetered;

#[cfg(feature = "metrics")]
use self::meters as meter;
#[cfg(not(feature = "metrics"))]
use self::unmetered as meter;

/// The event makes no key, or no request hash.
pub(crate) fn refused(workflow: &Workflow, error: &KeyError) {
    meter::claim(workflow.name(), "refused");
    let workflow = workflow.name();
    tracing::warn!(workflow, %error, "idem.refused");
}

/// A claim was won.
pub(crate) fn claimed(request: &Request, claim: &Claim) {
    let taken_over = claim.attempt > 1;
    meter::claim(
        request.workflow().name(),
        if taken_over { "taken_over" } else { "won" },
    );
    if !taken_over {
        meter::request(request);
    }
    let (workflow, key) = (request.workflow().name(), request.key());
    let (attempt, fence) = (claim.attempt, claim.fence.get());
    tracing::debug!(workflow, %key, attempt, fence, taken_over, "idem.claimed");
}

/// A claim was answered without a run. Cases for a person are told once, when their letter is written.
pub(crate) fn told(request: &Request, told: &Told) {
    let (workflow, key) = (request.workflow().name(), request.key());
    let outcome = match told {
        Told::Replay { .. } => {
            tracing::debug!(workflow, %key, "idem.replayed");
            "replay"
        }
        Told::Busy { retry_after } => {
            tracing::debug!(workflow, %key, ?retry_after, "idem.busy");
            "busy"
        }
        Told::Mismatch { fields } => {
            tracing::warn!(workflow, %key, ?fields, "idem.mismatch");
            "mismatch"
        }
        Told::Exhausted { attempts } => {
            tracing::debug!(workflow, %key, attempts, "idem.told_exhausted");
            "exhausted"
        }
        Told::Ambiguous { reason } => {
            tracing::debug!(workflow, %key, reason, "idem.told_ambiguous");
            "ambiguous"
        }
        Told::Unreadable(error) => {
            let owner = request.workflow().dead_letters().map(|to| to.owner);
            let channel = request.workflow().dead_letters().map(|to| to.channel);
            tracing::error!(workflow, %key, %error, owner, channel, "idem.unreadable");
            "unreadable"
        }
    };
    meter::claim(workflow, outcome);
}

/// The store could not be asked, and nothing runs.
pub(crate) fn store_unavailable(request: &Request, error: &StoreError) {
    let (workflow, key) = (request.workflow().name(), request.key());
    meter::claim(workflow, "store_unavailable");
    let kind = error.kind();
    let error = error as &dyn StdError;
    tracing::error!(workflow, %key, ?kind, error, "idem.store_unavailable");
}

/// The store could not be asked, and the handler runs without protection, as its contract says.
pub(crate) fn unprotected(request: &Request, error: &StoreError) {
    let (workflow, key) = (request.workflow().name(), request.key());
    meter::claim(workflow, "unprotected");
    let error = error as &dyn StdError;
    tracing::error!(workflow, %key, error, "idem.unprotected");
}

/// The handler's future has ended, after that long.
pub(crate) fn handled(request: &Request, begun: Instant) {
    meter::handled(request.workflow().name(), begun.elapsed());
}

/// The transaction is committed.
pub(crate) fn completed(request: &Request, claim: &Claim) {
    let (workflow, key) = (request.workflow().name(), request.key());
    let (attempt, fence) = (claim.attempt, claim.fence.get());
    meter::ended(workflow, "completed");
    tracing::debug!(workflow, %key, attempt, fence, "idem.completed");
}

/// An attempt failed and left nothing behind.
pub(crate) fn failed(request: &Request, claim: &Claim) {
    let (workflow, key) = (request.workflow().name(), request.key());
    let (attempt, fence) = (claim.attempt, claim.fence.get());
    meter::ended(workflow, "failed");
    tracing::info!(workflow, %key, attempt, fence, "idem.failed");
}

/// The end of an attempt could not be recorded.
pub(crate) fn failure_not_recorded(request: &Request, remains: Remains<'_>, error: &StoreError) {
    let (workflow, key) = (request.workflow().name(), request.key());
    let error = error as &dyn StdError;
    tracing::error!(workflow, %key, ?remains, error, "idem.failure_not_recorded");
}

/// A claim was lost before the commit, and the attempt is rolled back.
pub(crate) fn fenced(request: &Request, claim: &Claim) {
    let (workflow, key) = (request.workflow().name(), request.key());
    let (attempt, fence) = (claim.attempt, claim.fence.get());
    meter::ended(workflow, "fenced");
    tracing::warn!(workflow, %key, attempt, fence, "idem.fenced");
}

/// The end of an attempt found that the claim had been lost.
pub(crate) fn failed_late(request: &Request, claim: &Claim) {
    let (workflow, key) = (request.workflow().name(), request.key());
    let (attempt, fence) = (claim.attempt, claim.fence.get());
    tracing::debug!(workflow, %key, attempt, fence, "idem.failed_late");
}

/// A transaction lost against a concurrent one, and is run again.
pub(crate) fn conflict(request: &Request, conflicts: u32) {
    let (workflow, key) = (request.workflow().name(), request.key());
    meter::conflict(workflow);
    tracing::debug!(workflow, %key, conflicts, "idem.conflict");
}

/// A rollback failed: the connection is gone, and the store rolls back by itself.
pub(crate) fn rollback_failed(request: &Request, error: &StoreError) {
    let (workflow, key) = (request.workflow().name(), request.key());
    let error = error as &dyn StdError;
    tracing::debug!(workflow, %key, error, "idem.rollback_failed");
}

/// A rollback takes longer than a caller waits.
pub(crate) fn rollback_delayed(request: &Request) {
    let (workflow, key) = (request.workflow().name(), request.key());
    tracing::warn!(workflow, %key, "idem.rollback_delayed");
}

/// A claim could not be given back; its lease decides.
#[cfg(any(feature = "sqlite", feature = "postgres", feature = "mysql"))]
pub(crate) fn release_failed(request: &Request, error: &StoreError) {
    let (workflow, key) = (request.workflow().name(), request.key());
    let error = error as &dyn StdError;
    tracing::warn!(workflow, %key, error, "idem.release_failed");
}

/// A lease was renewed.
pub(crate) fn renewed(request: &Request) {
    let (workflow, key) = (request.workflow().name(), request.key());
    tracing::trace!(workflow, %key, "idem.renewed");
}

/// The renewal of a lease was refused: the claim is lost, and the handler is dropped.
pub(crate) fn renewal_refused(request: &Request) {
    let (workflow, key) = (request.workflow().name(), request.key());
    tracing::warn!(workflow, %key, "idem.renewal_refused");
}

/// The store could not be asked to renew a lease; it is asked again before the lease is over.
pub(crate) fn renewal_failed(request: &Request, error: &StoreError) {
    let (workflow, key) = (request.workflow().name(), request.key());
    let error = error as &dyn StdError;
    tracing::warn!(workflow, %key, error, "idem.renewal_failed");
}

/// An effect was called and gave no answer that says whether it happened.
pub(crate) fn effect_unanswered(request: &Request, effect: &Effect, attempt: u32) {
    let (workflow, key, effect) = (request.workflow().name(), request.key(), effect.name());
    meter::unanswered(workflow, effect);
    tracing::warn!(workflow, %key, effect, attempt, "idem.effect_unanswered");
}

/// An effect's result is recorded.
pub(crate) fn effect_recorded(request: &Request, effect: &Effect) {
    let (workflow, key, effect) = (request.workflow().name(), request.key(), effect.name());
    tracing::debug!(workflow, %key, effect, "idem.effect_recorded");
}

/// An effect's result could not be recorded, and is tried again.
pub(crate) fn effect_not_recorded(request: &Request, effect: &Effect, error: &StoreError) {
    let (workflow, key, effect) = (request.workflow().name(), request.key(), effect.name());
    let error = error as &dyn StdError;
    tracing::warn!(workflow, %key, effect, error, "idem.effect_not_recorded");
}

/// A probe was asked whether an effect happened.
pub(crate) fn probed(request: &Request, effect: &Effect, answer: &str) {
    let (workflow, key, effect) = (request.workflow().name(), request.key(), effect.name());
    tracing::info!(workflow, %key, effect, answer, "idem.probed");
}

/// The handler was stopped, because the store could not be asked about an effect.
pub(crate) fn operation_stopped(request: &Request, error: &StoreError) {
    let (workflow, key) = (request.workflow().name(), request.key());
    let kind = error.kind();
    let error = error as &dyn StdError;
    tracing::error!(workflow, %key, ?kind, error, "idem.operation_stopped");
}

/// A dead letter was written.
pub(crate) fn dead_letter(letter: &Letter) {
    let (workflow, key) = (letter.workflow.as_str(), letter.key.as_str());
    let (attempt, fence) = (letter.attempt, letter.fence.get());
    let (known, deadline) = (letter.known.as_str(), letter.deadline);
    let (owner, channel) = (letter.owner.as_deref(), letter.channel.as_deref());
    meter::letter(workflow, letter.kind);
    match letter.kind {
        LetterKind::Ambiguous => tracing::error!(
            workflow,
            key,
            attempt,
            fence,
            known,
            owner,
            channel,
            ?deadline,
            "idem.ambiguous"
        ),
        LetterKind::Exhausted => tracing::error!(
            workflow,
            key,
            attempt,
            fence,
            known,
            owner,
            channel,
            ?deadline,
            "idem.exhausted"
        ),
    }
}

/// A dead letter could not be written; the next delivery or sweep writes it.
pub(crate) fn dead_letter_not_written(request: &Request, error: &StoreError) {
    let (workflow, key) = (request.workflow().name(), request.key());
    let error = error as &dyn StdError;
    tracing::error!(workflow, %key, error, "idem.dead_letter_not_written");
}

/// A hook could not tell anybody.
pub(crate) fn hook_failed(letter: &Letter, error: &(dyn StdError + 'static)) {
    let (workflow, key) = (letter.workflow.as_str(), letter.key.as_str());
    tracing::error!(workflow, key, error, "idem.dead_letter_hook_failed");
}

/// A hook panicked.
pub(crate) fn hook_panicked(letter: &Letter) {
    let (workflow, key) = (letter.workflow.as_str(), letter.key.as_str());
    tracing::error!(workflow, key, "idem.dead_letter_hook_panicked");
}

/// A person settled an operation.
pub(crate) fn settled(workflow: &str, key: &str, act: &str, by: &str) {
    meter::settled(workflow, act);
    tracing::info!(workflow, key, act, by, "idem.settled");
}

/// A batch of rows was deleted.
pub(crate) fn swept(rows: u64, took: Duration) {
    meter::swept(rows, took);
    tracing::debug!(rows, ?took, "idem.swept");
}

/// The store could not be asked to sweep, or for cases; it is asked again.
pub(crate) fn sweep_failed(doing: &'static str, error: &StoreError) {
    let kind = error.kind();
    let error = error as &dyn StdError;
    tracing::warn!(doing, ?kind, error, "idem.sweep_failed");
}

#[cfg(test)]
mod tests;
