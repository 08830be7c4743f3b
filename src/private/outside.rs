//! A claim whose handler has effects outside the store.

use std::future::Future;
use std::pin::Pin;

use super::codec::Codec;
use super::end::remains_of;
use super::guard::Guard;
use super::open::answer;
use super::run::Run;
use crate::claim::Claim;
use crate::observe;
use crate::operation::{Ledger, Operation, Parts, Stop, Transactions};
use crate::store::{Claimed, EffectStore, Ended, Request, Transaction, TransactionalStore};
use crate::{EffectKind, Error, Outcome, StoreError, provider_key};

/// What an operation says of its store: the expansion names the store through it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operation of a store",
    label = "not an operation",
    note = "write `op: &mut idem::sqlite::Operation<'_>` or `op: &mut idem::postgres::Operation<'_>` as the handler's first argument"
)]
pub trait OperationOf {
    /// The store that it belongs to.
    type Store: TransactionalStore;
}

impl<T: Transaction> OperationOf for Operation<'_, T> {
    type Store = T::Store;
}

/// What a run keeps of the world outside the store.
pub(super) struct Outside {
    ledger: Ledger,
    /// Provider keys, in the order of the workflow's effects.
    keys: Vec<String>,
}

type Boxed<'o, O> = Pin<Box<dyn Future<Output = Result<O, StoreError>> + Send + 'o>>;

impl<S: EffectStore + TransactionalStore> Run<'_, S> {
    /// The operation for the handler, and the guard that drives it.
    pub fn operation(&mut self) -> (Operation<'_, S::Tx>, Guard<'_, S>) {
        let heartbeat = self.armed && self.request.workflow().renews();
        let effects = self.request.workflow().outside_effects();
        let keys = effects
            .iter()
            .map(|effect| match effect.kind() {
                EffectKind::KeyedRemote => provider_key(self.request.key(), effect.name()),
                EffectKind::Remote | EffectKind::Irreversible => String::new(),
            })
            .collect();
        let ledger = Ledger::default();
        let outside: &Outside = self.outside.insert(Box::new(Outside { ledger, keys }));
        let operation = Operation::new(Parts {
            store: self.store,
            request: &self.request,
            claim: self.claim,
            tx: &mut self.tx,
            transactions: Transactions {
                begin: begin::<S>,
                roll_back: roll_back::<S>,
            },
            ledger: &outside.ledger,
            keys: &outside.keys,
            protected: self.protected,
        });
        let guard = Guard {
            store: self.store,
            request: &self.request,
            claim: self.claim,
            deadline: &mut self.deadline,
            heartbeat,
            ledger: Some(&outside.ledger),
        };
        (operation, guard)
    }
}

fn begin<'o, S: TransactionalStore>(
    store: &'o S,
    request: &'o Request,
    claim: Claim,
) -> Boxed<'o, Claimed<S::Tx>> {
    Box::pin(async move { store.begin(request, &claim).await })
}

fn roll_back<S: TransactionalStore>(store: &S, tx: S::Tx) -> Boxed<'_, ()> {
    Box::pin(store.rollback(tx))
}

impl<S: TransactionalStore> Run<'_, S> {
    /// What a person is told when an effect that nobody may repeat perhaps happened.
    pub(super) fn doubt(&self) -> Option<String> {
        self.outside.as_ref()?.ledger.doubt()
    }

    /// Whether what is in doubt is left to a probe: the row stays as it is, in flight.
    pub(super) fn is_left_to_a_probe(&self) -> bool {
        let outside = self.outside.as_ref();
        outside.is_some_and(|outside| {
            outside.ledger.doubt().is_some() && outside.ledger.asks_a_probe()
        })
    }

    /// Whether anything outside the store began in this attempt.
    pub(super) fn has_begun(&self) -> bool {
        let outside = self.outside.as_ref();
        outside.is_some_and(|outside| outside.ledger.has_begun())
    }

    /// The handler was stopped by its operation. What it had written is undone; what it had begun
    /// outside decides what is recorded.
    pub(super) async fn stopped<R, E>(
        mut self,
        codec: Codec<R, E>,
    ) -> Result<Outcome<R>, Error<E>> {
        let doubt = self.doubt();
        let stop = self
            .outside
            .as_ref()
            .map(|outside| outside.ledger.take_stop());
        let Some(stop) = stop.flatten() else {
            return Err(self.give_up().await);
        };
        if matches!(stop, Stop::Lost) {
            return Err(self.give_up().await);
        }
        let ended = self.rollback(false).await;
        if ended == Some(Ended::Unknown) {
            return Err(self.ended_early(Ended::Unknown).await);
        }
        self.fail(remains_of(ended)).await;
        match stop {
            Stop::Lost => Err(Error::Fenced),
            Stop::Told(told) => answer(&self.request, told, codec),
            Stop::Store(error) => {
                observe::operation_stopped(&self.request, &error);
                Err(Error::Store(error))
            }
            Stop::Stored(error) => Err(Error::Stored(error)),
            Stop::Unanswered(effect) => match doubt {
                Some(reason) => Ok(Outcome::Ambiguous { reason }),
                None => Err(Error::Unanswered {
                    effect: effect.name(),
                }),
            },
        }
    }
}
