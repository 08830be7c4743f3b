//! One call of a wrapped handler, from the claim to the answer.

use std::future::Future;

use super::codec::Codec;
use super::delivery::Delivery;
use super::guard::{Driven, Guard};
use super::open::{Opened, open_as};
use super::run::{Run, Settled};
use crate::store::{EffectStore, Request};
use crate::{Error, KeyError, Operation, Outcome, TransactionalStore, Workflow};

/// The call, between two turns of its handler.
///
/// It goes on only in [`Call::next`]: a wrapper then has two places to wait instead of three,
/// and each of them costs the compiler as much as everything else in it.
pub struct Call<'s, S: TransactionalStore, R, E> {
    pub(super) store: &'s S,
    codec: Codec<R, E>,
    delivery: Option<Delivery>,
    run: Option<Run<'s, S>>,
    driven: Option<Driven<Result<R, E>>>,
    pub(super) answer: Option<Result<Outcome<R>, Error<E>>>,
    /// What is asked for, where a probe may be asked about it.
    pub(super) request: Option<Request>,
    /// Whether the handler had its turn.
    pub(super) ran: bool,
}

/// One turn of the handler.
pub struct Turn<'a, S: TransactionalStore, R, E> {
    /// For the handler.
    pub tx: &'a mut S::Tx,
    /// Drives it.
    pub guard: TurnGuard<'a, S, R, E>,
}

/// Watches over one turn of the handler.
pub struct TurnGuard<'a, S: TransactionalStore, R, E> {
    guard: Guard<'a, S>,
    driven: &'a mut Option<Driven<Result<R, E>>>,
}

/// The turn of a handler with effects outside the store.
pub struct OperationTurn<'a, S: TransactionalStore, R, E> {
    /// For the handler.
    pub op: Operation<'a, S::Tx>,
    /// Drives it.
    pub guard: TurnGuard<'a, S, R, E>,
}

/// Begins the call; nothing is asked of the store yet.
#[must_use]
pub fn call<S: TransactionalStore, R, E>(
    store: &S,
    delivery: Delivery,
    codec: Codec<R, E>,
) -> Call<'_, S, R, E> {
    Call {
        store,
        codec,
        delivery: Some(delivery),
        run: None,
        driven: None,
        answer: None,
        request: None,
        ran: false,
    }
}

impl<S: TransactionalStore, R, E> Call<'_, S, R, E> {
    /// Claims, or settles the turn before; then the handler's next turn, if there is one: the first,
    /// or another after its transaction lost against a concurrent one.
    ///
    /// **Cancel safety**: dropping the future gives a claim back, as dropping the call does.
    pub async fn next(&mut self) -> Option<Turn<'_, S, R, E>> {
        if let Some(delivery) = self.delivery.take() {
            self.open(delivery).await;
        } else if let (Some(run), Some(driven)) = (self.run.take(), self.driven.take()) {
            match run.settle_as(self.codec, driven).await {
                Settled::Done(answer) => self.answer = Some(answer),
                Settled::Again(run) => self.run = Some(run),
            }
        }
        let (tx, guard) = self.run.as_mut()?.parts();
        let driven = &mut self.driven;
        Some(Turn {
            tx,
            guard: TurnGuard { guard, driven },
        })
    }

    async fn open(&mut self, delivery: Delivery) {
        let workflow = delivery.workflow;
        let request = delivery.finish();
        if workflow.asks_probes() {
            self.request = request.as_ref().ok().cloned();
        }
        self.open_as(workflow, request).await;
    }

    /// Claims once more what was asked for.
    pub(super) async fn open_again(&mut self, request: &Request) {
        self.answer = None;
        self.open_as(request.workflow(), Ok(request.clone())).await;
    }

    async fn open_as(&mut self, workflow: &'static Workflow, request: Result<Request, KeyError>) {
        match open_as(self.store, workflow, request, self.codec).await {
            Opened::Run(run) => self.run = Some(run),
            Opened::Answer(answer) => self.answer = Some(answer),
        }
    }

    /// Claims, or settles the only turn.
    pub(super) async fn go_on(&mut self) {
        if let Some(delivery) = self.delivery.take() {
            self.open(delivery).await;
        } else if let Some(driven) = self.driven.take()
            && let Some(run) = self.run.take()
        {
            self.ran = true;
            self.answer = Some(run.settle_once_as(self.codec, driven).await);
        }
    }

    /// Settles the only turn of a handler whose arguments are gone after it; the answer.
    ///
    /// **Cancel safety**: a dropped future either committed or left nothing behind.
    pub async fn settled(mut self) -> Result<Outcome<R>, Error<E>> {
        match (self.run.take(), self.driven.take()) {
            (Some(run), Some(driven)) => run.settle_once_as(self.codec, driven).await,
            _ => self.answer(),
        }
    }

    /// The answer, when there is no further turn. A turn that was given and not taken leaves none,
    /// and nothing of it is committed.
    pub fn answer(self) -> Result<Outcome<R>, Error<E>> {
        self.answer.unwrap_or(Err(Error::Fenced))
    }
}

impl<S: EffectStore + TransactionalStore, R, E> Call<'_, S, R, E> {
    /// Claims; then the only turn of a handler with effects outside the store, if there is one. Running
    /// it again would be for its local effects alone, and a retry finds the others recorded.
    ///
    /// **Cancel safety**: dropping the future gives a claim back, as dropping the call does.
    pub async fn operation(&mut self) -> Option<OperationTurn<'_, S, R, E>> {
        if let Some(delivery) = self.delivery.take() {
            self.open(delivery).await;
        }
        let (op, guard) = self.run.as_mut()?.operation();
        let driven = &mut self.driven;
        Some(OperationTurn {
            op,
            guard: TurnGuard { guard, driven },
        })
    }
}

impl<S: TransactionalStore, R, E> TurnGuard<'_, S, R, E> {
    /// Polls the handler to its end, renewing the lease where the contract says so.
    ///
    /// **Cancel safety**: dropping the future drops the handler's.
    pub async fn drive(self, handler: impl Future<Output = Result<R, E>>) {
        *self.driven = Some(self.guard.drive(handler).await);
    }
}
