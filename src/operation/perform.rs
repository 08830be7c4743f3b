//! One effect, from its beginning to its record.

use std::convert::Infallible;
use std::future::{Future, pending};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Ledger, Operation, Stop};
use crate::observe;
use crate::store::unbroken::unbroken;
use crate::store::{BegunEffect, Claimed, EffectStore, Held, Point, Store as _, Transaction};
use crate::{
    Effect, EffectKind, Failure, FailureClass, Fence, Mode, StoreError, StoreErrorKind,
    StoredError, StoredErrorKind,
};

/// The pauses before a record is tried again that the store did not take: what happened is known now
/// and never again, and a store that is away for longer than this leaves it to the lease.
const RECORD_PAUSES: [Duration; 3] = [
    Duration::from_millis(20),
    Duration::from_millis(100),
    Duration::from_millis(500),
];

impl<'o, T> Operation<'o, T>
where
    T: Transaction,
    T::Store: EffectStore,
{
    pub(super) async fn perform<V, E, F, A>(
        &mut self,
        name: &'static str,
        kind: EffectKind,
        mut call: F,
    ) -> Result<V, E>
    where
        V: Serialize + DeserializeOwned,
        E: Failure,
        F: FnMut(&'o str) -> A,
        A: Future<Output = Result<V, E>>,
    {
        let (effect, key) = match self.declared(name, kind) {
            Ok(declared) => declared,
            Err(stop) => match halt(self.ledger, stop).await {},
        };
        if !self.protected {
            return call(key).await;
        }
        let waiting = Waiting(Some((self.ledger, effect)));
        let recorded = match self.begin(effect).await {
            Ok(recorded) => recorded,
            Err(stop) => match halt(self.ledger, stop).await {},
        };
        if let Some(bytes) = recorded {
            return match self.read(effect, &bytes) {
                Ok(value) => {
                    waiting.ended();
                    Ok(value)
                }
                Err(stop) => match halt(self.ledger, stop).await {},
            };
        }
        let answer = self.call(effect, key, &mut call).await;
        let ended = match &answer {
            Some(Ok(value)) => self.record(effect, value).await,
            Some(Err(error)) => self.refused(effect, error.class()).await,
            None => Err(Stop::Unanswered(effect)),
        };
        match (answer, ended) {
            (Some(answer), Ok(())) => {
                waiting.ended();
                answer
            }
            (Some(_), Err(stop)) | (None, Err(stop)) => match halt(self.ledger, stop).await {},
            (None, Ok(())) => pending().await,
        }
    }

    /// The effect of that name, where the workflow declares it so, and its provider key.
    fn declared(
        &self,
        name: &'static str,
        kind: EffectKind,
    ) -> Result<(&'static Effect, &'o str), Stop> {
        let workflow = self.request.workflow();
        let refuse = |what: String| {
            Err(Stop::Store(StoreError::new(
                StoreErrorKind::Permanent,
                what,
            )))
        };
        let called = kind.method();
        let effects = workflow.outside_effects();
        let Some(at) = effects.iter().position(|effect| effect.name() == name) else {
            return refuse(format!(
                "performing `{name}`: workflow `{}` declares no such effect; declare it in the contract",
                workflow.name()
            ));
        };
        let effect = &effects[at];
        if effect.kind() != kind {
            return refuse(format!(
                "performing `{name}` by `op.{called}`: it is declared as `{}`; write `op.{}`",
                effect.kind().as_str(),
                effect.kind().method()
            ));
        }
        if workflow.claim_mode() != Mode::Leased {
            return refuse(format!(
                "performing `{name}`: workflow `{}` claims in the handler's own transaction, which a \
                 crash undoes and an effect outside survives; its mode is to be leased",
                workflow.name()
            ));
        }
        Ok((effect, self.keys.get(at).map_or("", String::as_str)))
    }

    /// Says durably that the effect begins. Returns its result where it is recorded already.
    async fn begin(&mut self, effect: &'static Effect) -> Result<Option<Vec<u8>>, Stop> {
        if self.touched && !T::Store::BESIDE_TRANSACTION {
            let name = effect.name();
            return Err(Stop::Store(StoreError::new(
                StoreErrorKind::Permanent,
                format!(
                    "performing `{name}` after `op.tx()`: this store has one writer, which the open \
                     transaction is, so that the effect could not be recorded; perform effects outside \
                     the database before the first `op.tx()`"
                ),
            )));
        }
        if self.known.is_none() {
            self.let_go().await;
            // Under the first fence there was no attempt that could have begun anything.
            let known = if self.claim.fence == Fence::FIRST {
                Vec::new()
            } else {
                self.store
                    .effects(self.request)
                    .await
                    .map_err(Stop::Store)?
            };
            self.known = Some(known);
        }
        if let Some(bytes) = self.found(effect).and_then(|found| found.result.clone()) {
            self.transaction().await?;
            return Ok(Some(bytes));
        }
        if effect.kind() != EffectKind::KeyedRemote && self.ledger.is_open(effect) {
            // It may have happened, and the handler asks for it once more.
            return Err(Stop::Unanswered(effect));
        }
        self.let_go().await;
        // A takeover calls as late as its own lease lets it: a key that is known at the takeover
        // alone could be forgotten before the call.
        let within = effect.known_throughout(self.request.workflow().lease());
        let begun = self
            .store
            .begin_effect(self.request, &self.claim, &within)
            .await;
        held(begun)?;
        self.ledger.begun(effect);
        self.store.observe(Point::BeforeEffect);
        Ok(None)
    }

    /// Calls until there is an answer, as often as the effect may be called. `None` when the last call
    /// gave none.
    async fn call<V, E, F, A>(
        &mut self,
        effect: &'static Effect,
        key: &'o str,
        call: &mut F,
    ) -> Option<Result<V, E>>
    where
        E: Failure,
        F: FnMut(&'o str) -> A,
        A: Future<Output = Result<V, E>>,
    {
        let mut answer = None;
        for attempt in 1..=effect.most_tries() {
            if attempt > 1 {
                self.may_have_happened(effect);
            }
            answer = match effect.timeout() {
                Some(timeout) => tokio::time::timeout(timeout, call(key)).await.ok(),
                None => Some(call(key).await),
            };
            let lost = match &answer {
                None => true,
                Some(Err(error)) => error.class() == FailureClass::Unknown,
                Some(Ok(_)) => false,
            };
            if !lost {
                break;
            }
            observe::effect_unanswered(self.request, effect, attempt);
        }
        self.store.observe(Point::AfterEffect);
        answer
    }

    /// Keeps the result, so that no later attempt performs the effect again.
    async fn record<V: Serialize>(
        &mut self,
        effect: &'static Effect,
        value: &V,
    ) -> Result<(), Stop> {
        let bytes = serde_json::to_vec(value).map_err(|error| {
            let what = format!("the result of `{}` does not encode as JSON", effect.name());
            Stop::Store(StoreError::new(StoreErrorKind::Permanent, what).caused_by(error))
        })?;
        let (store, request, claim) = (self.store.clone(), self.request.clone(), self.claim);
        let kept = bytes.clone();
        let recording = async move {
            for pause in RECORD_PAUSES {
                match store.record_effect(&request, &claim, effect, &kept).await {
                    Err(error) => {
                        observe::effect_not_recorded(&request, effect, &error);
                        tokio::time::sleep(pause).await;
                    }
                    told @ Ok(_) => return told,
                }
            }
            store.record_effect(&request, &claim, effect, &kept).await
        };
        // A caller that hangs up now does not undo what happened.
        held(unbroken(recording, |_| std::future::ready(())).await)?;
        self.ledger.recorded(effect);
        self.store.observe(Point::EffectRecorded);
        observe::effect_recorded(self.request, effect);
        self.learn(effect, Some(bytes));
        self.transaction().await
    }

    /// The closure refused: where that proves that nothing happened, the effect had never begun.
    async fn refused(&mut self, effect: &'static Effect, class: FailureClass) -> Result<(), Stop> {
        match class {
            FailureClass::Unknown => self.may_have_happened(effect),
            FailureClass::NoEffect | FailureClass::Final => {
                if self.found(effect).is_none() {
                    self.ledger.cleared(effect);
                    let (store, request, claim) =
                        (self.store.clone(), self.request.clone(), self.claim);
                    let clearing =
                        async move { store.clear_effect(&request, &claim, effect).await };
                    held(unbroken(clearing, |_| std::future::ready(())).await)?;
                }
            }
        }
        self.transaction().await
    }

    fn read<V: DeserializeOwned>(&self, effect: &'static Effect, bytes: &[u8]) -> Result<V, Stop> {
        serde_json::from_slice(bytes).map_err(|error| {
            Stop::Stored(StoredError::new(
                self.request.key().as_str(),
                StoredErrorKind::UndecodableEffect {
                    effect: effect.name(),
                    why: crate::error::what_json_says(&error),
                },
            ))
        })
    }

    fn found(&self, effect: &Effect) -> Option<&BegunEffect> {
        let known = self.known.as_ref()?;
        known.iter().find(|known| known.effect == effect.name())
    }

    /// From now on nobody can say that the effect had never begun.
    fn may_have_happened(&mut self, effect: &Effect) {
        if self.found(effect).is_none() {
            self.learn(effect, None);
        }
    }

    fn learn(&mut self, effect: &Effect, result: Option<Vec<u8>>) {
        let known = self.known.get_or_insert_default();
        known.retain(|known| known.effect != effect.name());
        known.push(BegunEffect {
            effect: effect.name().to_owned(),
            result,
        });
    }

    /// Ends a transaction in which nothing was written: nobody waits for it while a provider thinks.
    async fn let_go(&mut self) {
        if self.touched {
            return;
        }
        if let Some(tx) = self.tx.take()
            && let Err(error) = (self.transactions.roll_back)(self.store, tx).await
        {
            // The connection is gone, and with it a transaction in which nothing was.
            observe::rollback_failed(self.request, &error);
        }
    }

    /// Begins the handler's transaction anew, where it was let go.
    async fn transaction(&mut self) -> Result<(), Stop> {
        if self.tx.is_some() {
            return Ok(());
        }
        let begin = self.transactions.begin;
        match begin(self.store, self.request, self.claim).await {
            Ok(Claimed::Won(tx)) => {
                *self.tx = Some(tx);
                Ok(())
            }
            Ok(Claimed::Told(told)) => Err(Stop::Told(told)),
            Err(error) => Err(Stop::Store(error)),
        }
    }
}

/// Never returns: whoever drives the handler drops it.
async fn halt(ledger: &Ledger, stop: Stop) -> Infallible {
    ledger.stop(stop);
    pending().await
}

/// A closure that can be called once, as one that is asked once.
pub(super) fn once<'o, V, E, F, A>(call: F) -> impl FnMut(&'o str) -> OnceOnly<A>
where
    F: FnOnce() -> A,
    A: Future<Output = Result<V, E>>,
{
    let mut call = Some(call);
    move |_| OnceOnly(call.take().map(|call| Box::pin(call())))
}

/// An answer that is never given where there was nothing to ask.
pub(super) struct OnceOnly<A>(Option<Pin<Box<A>>>);

impl<A: Future> Future for OnceOnly<A> {
    type Output = A::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<A::Output> {
        match &mut self.0 {
            Some(asked) => asked.as_mut().poll(cx),
            None => Poll::Pending,
        }
    }
}

fn held(told: Result<Held, StoreError>) -> Result<(), Stop> {
    match told {
        Ok(Held::Yes(())) => Ok(()),
        Ok(Held::Lost) => Err(Stop::Lost),
        Err(error) => Err(Stop::Store(error)),
    }
}

/// An effect that somebody waits for. Dropped before its end, it ends the attempt: the operation cannot
/// go on without knowing what became of it.
struct Waiting<'o>(Option<(&'o Ledger, &'static Effect)>);

impl Waiting<'_> {
    fn ended(mut self) {
        self.0 = None;
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        // A panic of the closure is told as what it is.
        if let Some((ledger, effect)) = self.0.take()
            && !std::thread::panicking()
        {
            ledger.stop(Stop::Unanswered(effect));
        }
    }
}
