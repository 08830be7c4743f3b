//! A claim that was won: its transaction, and how it ends.

use std::panic::resume_unwind;
use std::time::{Instant, SystemTime};

use super::again::{MAX_CONFLICTS, jittered};
use super::codec::{Codec, Replayable, codec, failure, value};
use super::end::{cut_short, record_end, remains_of, roll_back, roll_back_in_doubt};
use super::guard::{Deadline, Driven, End, Guard};
use super::open::{Begun, answer, begin};
use super::outside::Outside;
use super::redact::redact;
use crate::claim::{Claim, ResultKind};
use crate::error::what_json_says;
use crate::observe;
use crate::store::unbroken::unbroken;
use crate::store::{Claimed, Completion, Ended, Held, Point, Remains, Request, TransactionalStore};
use crate::{
    Answer, Error, Failure, FailureClass, Keep, Mode, Outcome, StoreError, StoreErrorKind,
};

/// A won claim with its transaction begun.
pub struct Run<'s, S: TransactionalStore> {
    pub(super) store: &'s S,
    pub(super) request: Request,
    pub(super) claim: Claim,
    /// `None` only while the claim is being settled, and while an operation performs an effect.
    pub(super) tx: Option<S::Tx>,
    pub(super) deadline: Deadline,
    conflicts: u32,
    pub(super) protected: bool,
    /// What was begun outside the store, once the handler has an operation.
    pub(super) outside: Option<Box<Outside>>,
    /// Whether dropping this has to give the claim back.
    pub(super) armed: bool,
}

/// How a claim ended.
pub enum Settled<'s, S: TransactionalStore, R, E> {
    /// It is settled: this is the answer.
    Done(Result<Outcome<R>, Error<E>>),
    /// The transaction lost against a concurrent one: run the handler once more.
    Again(Run<'s, S>),
}

/// Whether the expansion can run the handler once more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rerun {
    Possible,
    Impossible,
}

impl<'s, S: TransactionalStore> Run<'s, S> {
    pub(super) fn new(
        store: &'s S,
        request: Request,
        claim: Claim,
        tx: S::Tx,
        asked_at: Instant,
    ) -> Self {
        let workflow = request.workflow();
        let leased = workflow.claim_mode() == Mode::Leased;
        // In fused mode the open transaction is the claim: with a heartbeat it needs no deadline.
        let deadline = if workflow.renews() && !leased {
            Deadline::None
        } else {
            Deadline::At(asked_at + workflow.lease().own_deadline())
        };
        store.observe(Point::Claimed);
        Self {
            store,
            request,
            claim,
            tx: Some(tx),
            deadline,
            conflicts: 0,
            protected: true,
            outside: None,
            armed: leased,
        }
    }

    pub(super) fn unprotected(store: &'s S, request: Request, claim: Claim, tx: S::Tx) -> Self {
        Self {
            store,
            request,
            claim,
            tx: Some(tx),
            deadline: Deadline::None,
            conflicts: 0,
            protected: false,
            outside: None,
            armed: false,
        }
    }

    /// The transaction for the handler, and the guard that drives it.
    ///
    /// **Panics** never: a run that can be named still holds its transaction.
    #[expect(
        clippy::expect_used,
        reason = "settling consumes the run, so a run that can be named holds its transaction"
    )]
    pub fn parts(&mut self) -> (&mut S::Tx, Guard<'_, S>) {
        let heartbeat = self.armed && self.request.workflow().renews();
        let tx = self.tx.as_mut().expect("a run holds its transaction");
        let guard = Guard {
            store: self.store,
            request: &self.request,
            claim: self.claim,
            deadline: &mut self.deadline,
            heartbeat,
            ledger: None,
        };
        (tx, guard)
    }

    /// Ends the claim as the handler did; a transaction that lost against a concurrent one is to
    /// be run again.
    ///
    /// **Cancel safety**: a dropped future either committed or left nothing behind.
    pub async fn settle<R, E>(self, driven: Driven<Result<R, E>>) -> Settled<'s, S, R, E>
    where
        R: Replayable,
        E: Failure,
    {
        self.settle_as(codec(value(), failure()), driven).await
    }

    /// The same with a codec that was made before.
    ///
    /// **Cancel safety**: a dropped future either committed or left nothing behind.
    pub async fn settle_as<R, E>(
        self,
        codec: Codec<R, E>,
        driven: Driven<Result<R, E>>,
    ) -> Settled<'s, S, R, E> {
        self.end(driven, Rerun::Possible, codec).await
    }

    /// The same for a handler whose arguments were moved into it: it runs once, and a transaction
    /// that lost against a concurrent one is a transient error of the store.
    ///
    /// **Cancel safety**: a dropped future either committed or left nothing behind.
    pub async fn settle_once_as<R, E>(
        self,
        codec: Codec<R, E>,
        driven: Driven<Result<R, E>>,
    ) -> Result<Outcome<R>, Error<E>> {
        match self.end(driven, Rerun::Impossible, codec).await {
            Settled::Done(answer) => answer,
            Settled::Again(_given_back) => Err(Error::Fenced),
        }
    }

    async fn end<R, E>(
        mut self,
        driven: Driven<Result<R, E>>,
        rerun: Rerun,
        codec: Codec<R, E>,
    ) -> Settled<'s, S, R, E> {
        match driven.0 {
            End::Finished(Ok(value)) => self.complete(value, rerun, codec).await,
            End::Finished(Err(error)) => self.refuse(error, rerun, codec).await,
            End::Lost => Settled::Done(Err(self.give_up().await)),
            End::Stopped => Settled::Done(self.stopped(codec).await),
            End::Panicked(panic) => {
                let ended = self.rollback(false).await;
                self.fail(remains_of(ended)).await;
                resume_unwind(panic)
            }
        }
    }

    /// The handler returned a value: completion and commit.
    async fn complete<R, E>(
        mut self,
        value: R,
        rerun: Rerun,
        codec: Codec<R, E>,
    ) -> Settled<'s, S, R, E> {
        self.store.observe(Point::HandlerDone);
        let bytes = match self.encode(&value, codec) {
            Ok(bytes) => bytes,
            Err(error) => return self.broken(error, rerun, codec).await,
        };
        if self.deadline.is_over() {
            return Settled::Done(Err(self.give_up().await));
        }
        let completed_at = match self.complete_in(&bytes).await {
            Ok(Held::Yes(at)) => at,
            Ok(Held::Lost) => return self.lost(rerun, codec).await,
            Err(error) => return self.broken(error, rerun, codec).await,
        };
        self.store.observe(Point::BeforeCommit);
        if let Some(tx) = self.tx.take()
            && let Err(error) = self.store.commit(tx).await
        {
            return self.broken(error, rerun, codec).await;
        }
        self.armed = false;
        self.store.observe(Point::AfterCommit);
        observe::completed(&self.request, &self.claim);
        let Claim { attempt, fence, .. } = self.claim;
        let answer = Answer::new(value, bytes, completed_at, attempt, fence);
        Settled::Done(Ok(Outcome::Fresh(answer)))
    }

    /// The value's bytes as they are stored. What is left of them without the redacted fields has to
    /// decode: a replay that cannot be answered must not come as a surprise.
    fn encode<R, E>(&self, value: &R, codec: Codec<R, E>) -> Result<Vec<u8>, StoreError> {
        let bytes = (codec.encode)(value).map_err(|error| {
            let what = "the handler's value does not encode as JSON";
            StoreError::new(StoreErrorKind::Permanent, what).caused_by(error)
        })?;
        let workflow = self.request.workflow();
        let fields = workflow.redacted();
        if fields.is_empty() {
            return Ok(bytes);
        }
        let bytes = redact(&bytes, fields);
        if workflow.keeps(bytes.len() as u64) == Keep::Full
            && let Err(error) = (codec.decode)(&bytes)
        {
            let what = format!(
                "storing the handler's value without `{}`, as the contract's `redact` says: what is \
                 left does not decode as its type ({}), so that no replay could be answered; make \
                 those fields an `Option`, or leave them out of `redact`",
                fields.join("`, `"),
                what_json_says(&error),
            );
            return Err(StoreError::new(StoreErrorKind::Permanent, what));
        }
        Ok(bytes)
    }

    async fn complete_in(&mut self, bytes: &[u8]) -> Result<Held<SystemTime>, StoreError> {
        let Some(tx) = self.tx.as_mut() else {
            return Ok(Held::Lost);
        };
        if !self.protected {
            return Ok(Held::Yes(SystemTime::now()));
        }
        let workflow = self.request.workflow();
        let completion = match workflow.keeps(bytes.len() as u64) {
            Keep::Full => Completion {
                kind: ResultKind::Value,
                bytes: Some(bytes),
                version: workflow.result_version(),
            },
            Keep::Tombstone => Completion {
                kind: ResultKind::Tombstone,
                bytes: None,
                version: workflow.result_version(),
            },
        };
        self.store
            .complete_in(tx, &self.request, &self.claim, completion)
            .await
    }

    /// The handler returned an error: what it wrote is undone, and its class is recorded.
    async fn refuse<R, E>(
        mut self,
        error: E,
        rerun: Rerun,
        codec: Codec<R, E>,
    ) -> Settled<'s, S, R, E> {
        self.store.observe(Point::HandlerDone);
        let conflict = (codec.store_error)(&error)
            .and_then(|source| self.store.classify(source))
            .is_some_and(|error| error.is_conflict());
        let again = conflict && rerun == Rerun::Possible && self.conflicts < MAX_CONFLICTS;
        let unknown = (codec.class)(&error) == FailureClass::Unknown;
        let reason = match self.doubt() {
            // Whatever the error says of itself: it cannot know more than its effect told it.
            Some(doubt) => Some(doubt),
            None => unknown.then(|| "the handler reported an error of class unknown".to_owned()),
        };
        if !again && let Some(reason) = reason {
            self.end_unknown(reason).await;
            return Settled::Done(Err(Error::Unknown(error)));
        }
        let ended = self.rollback(conflict).await;
        if ended == Some(Ended::Unknown) {
            return Settled::Done(Err(self.ended_early(Ended::Unknown).await));
        }
        if again {
            return self.again(codec).await;
        }
        match ((codec.class)(&error), (codec.encode_final)(&error)) {
            (FailureClass::Final, Some(bytes)) => {
                self.refuse_for_good(error, &bytes, rerun, codec).await
            }
            (FailureClass::Final | FailureClass::NoEffect | FailureClass::Unknown, _) => {
                self.fail(Remains::Nothing).await;
                Settled::Done(Err(Error::Failed(error)))
            }
        }
    }

    /// Nobody knows what happened outside, and a caller that hangs up now does not change that:
    /// giving the claim back would be a silent rerun.
    async fn end_unknown(&mut self, reason: String) {
        let (store, request, claim) = (self.store.clone(), self.request.clone(), self.claim);
        let protected = self.protected && !self.is_left_to_a_probe();
        let tx = self.tx.take();
        self.armed = false;
        let ending = async move {
            if protected {
                roll_back_in_doubt(&store, &request, &claim, tx, &reason).await;
            } else {
                roll_back(&store, &request, tx, false).await;
            }
        };
        unbroken(ending, std::future::ready).await;
    }

    /// A definitive refusal is stored as the result, in full whatever the contract keeps of
    /// values: a tombstone would tell the retry that the work succeeded.
    async fn refuse_for_good<R, E>(
        mut self,
        error: E,
        bytes: &[u8],
        rerun: Rerun,
        codec: Codec<R, E>,
    ) -> Settled<'s, S, R, E> {
        if !self.protected {
            return Settled::Done(Err(Error::Refused {
                error,
                replayed: false,
                completed_at: SystemTime::now(),
            }));
        }
        let completion = Completion {
            kind: ResultKind::Refusal,
            bytes: Some(bytes),
            version: self.request.workflow().result_version(),
        };
        let stored = self
            .store
            .complete(&self.request, &self.claim, completion)
            .await;
        match stored {
            Ok(Held::Yes(completed_at)) => {
                self.armed = false;
                Settled::Done(Err(Error::Refused {
                    error,
                    replayed: false,
                    completed_at,
                }))
            }
            Ok(Held::Lost) => self.lost(rerun, codec).await,
            Err(error) => Settled::Done(Err(Error::Store(error))),
        }
    }

    /// The completion found that the claim was not ours any more. A fused claim held no row, so
    /// what is there now is asked for; a leased one was taken over.
    async fn lost<R, E>(mut self, rerun: Rerun, codec: Codec<R, E>) -> Settled<'s, S, R, E> {
        if let Some(ended) = self.rollback(false).await {
            return Settled::Done(Err(self.ended_early(ended).await));
        }
        self.armed = false;
        observe::fenced(&self.request, &self.claim);
        match self.request.workflow().claim_mode() {
            Mode::Fused if rerun == Rerun::Possible && self.conflicts < MAX_CONFLICTS => {
                self.again(codec).await
            }
            Mode::Fused | Mode::Leased => Settled::Done(Err(Error::Fenced)),
        }
    }

    /// The store refused the completion or the commit.
    async fn broken<R, E>(
        mut self,
        error: StoreError,
        rerun: Rerun,
        codec: Codec<R, E>,
    ) -> Settled<'s, S, R, E> {
        if let Some(ended) = self.rollback(error.is_conflict()).await {
            return Settled::Done(Err(self.ended_early(ended).await));
        }
        if error.is_conflict() && rerun == Rerun::Possible && self.conflicts < MAX_CONFLICTS {
            return self.again(codec).await;
        }
        match error.kind() {
            // Whether the commit arrived is unknown, and asking would wait for the same store:
            // the next claim finds out.
            StoreErrorKind::Connection => self.armed = false,
            StoreErrorKind::Transient | StoreErrorKind::Permanent => {
                self.fail(Remains::Nothing).await;
            }
        }
        Settled::Done(Err(Error::Store(error)))
    }

    /// The same claim once more, after a pause that no two losers share.
    async fn again<R, E>(mut self, codec: Codec<R, E>) -> Settled<'s, S, R, E> {
        let conflicts = self.conflicts + 1;
        observe::conflict(&self.request, conflicts);
        tokio::time::sleep(jittered(conflicts)).await;
        if self.armed || !self.protected {
            return match self.store.begin(&self.request, &self.claim).await {
                Ok(Claimed::Won(tx)) => {
                    self.tx = Some(tx);
                    self.conflicts = conflicts;
                    Settled::Again(self)
                }
                Ok(Claimed::Told(told)) => {
                    self.fail(Remains::Nothing).await;
                    Settled::Done(answer(&self.request, told, codec))
                }
                Err(error) => {
                    self.fail(Remains::Nothing).await;
                    Settled::Done(Err(Error::Store(error)))
                }
            };
        }
        match begin(self.store, self.request.clone()).await {
            Ok(Begun::Run(mut run)) => {
                run.conflicts = conflicts;
                Settled::Again(run)
            }
            Ok(Begun::Told(request, told)) => Settled::Done(answer(&request, told, codec)),
            Err(error) => Settled::Done(Err(Error::Store(error))),
        }
    }

    /// The handler ended its transaction itself: nothing further of it is committed. What is committed
    /// already cannot be taken back, so that a retry might do it twice.
    pub(super) async fn ended_early<E>(mut self, ended: Ended) -> Error<E> {
        self.fail(remains_of(Some(ended))).await;
        Error::Store(cut_short(ended))
    }

    /// The lease was over, or its renewal refused, before the commit.
    pub(super) async fn give_up<E>(mut self) -> Error<E> {
        let ended = self.rollback(false).await;
        self.fail(remains_of(ended)).await;
        observe::fenced(&self.request, &self.claim);
        Error::Fenced
    }

    pub(super) async fn rollback(&mut self, conflict: bool) -> Option<Ended> {
        roll_back(self.store, &self.request, self.tx.take(), conflict).await
    }

    /// Records the end of an attempt whose transaction is rolled back.
    pub(super) async fn fail(&mut self, remains: Remains<'_>) {
        if !self.protected {
            return;
        }
        if self.is_left_to_a_probe() {
            self.armed = false;
            return;
        }
        let doubt = self.doubt();
        let remains = match (remains, &doubt) {
            (Remains::Nothing, Some(reason)) => Remains::Unknown(reason),
            (Remains::Nothing | Remains::Unknown(_), _) => remains,
        };
        record_end(self.store, &self.request, &self.claim, remains).await;
        self.armed = false;
    }
}

impl<S: TransactionalStore> Drop for Run<'_, S> {
    fn drop(&mut self) {
        drop(self.tx.take());
        // What began outside is not undone by hanging up: the lease decides.
        if self.armed && !self.has_begun() {
            self.store.abandon(self.request.clone(), self.claim);
        }
    }
}
