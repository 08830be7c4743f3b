//! What a handler with effects outside the store is given: its transaction, and one call per effect.

mod ledger;
mod perform;
mod provider_key;

use std::fmt;
use std::future::Future;
use std::panic::resume_unwind;
use std::pin::Pin;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub(crate) use self::ledger::{Ledger, Stop};
use self::perform::once;
pub use self::provider_key::provider_key;
use crate::claim::Claim;
use crate::store::{BegunEffect, Claimed, EffectStore, Request, Transaction};
use crate::{EffectKind, Failure, Fence, StoreError};

/// One attempt of an operation with effects outside the store.
///
/// Local writes go through [`Operation::tx`]; they are committed together with the completion, when the
/// handler has returned. Every effect of the contract has one call: [`Operation::step`] for a provider
/// that deduplicates, [`Operation::remote`] for one that does not, [`Operation::irreversible`] for what
/// cannot be taken back. Each says durably that the effect begins, performs it, and records its result;
/// a later attempt is given the result and performs nothing.
///
/// A call returns what its closure returns. Where there is no honest answer to return, the handler is
/// not asked any further: its future is dropped, nothing is committed, and the caller is told. That is
/// so when the claim is lost, when the store cannot be asked, and when an effect gave no answer in time.
///
/// While a call waits, the operation holds no transaction and no connection, unless something was
/// written through [`Operation::tx`] before it. On SQLite, which has one writer, effects outside come
/// before the first [`Operation::tx`]; a later one is refused.
///
/// ```
/// # use std::convert::Infallible;
/// # #[derive(serde::Serialize, serde::Deserialize)] struct Refund;
/// # struct Provider;
/// # impl Provider { async fn refund(&self, key: &str) -> Result<Refund, Infallible> { Ok(Refund) } }
/// async fn refund(
///     op: &mut idem::memory::Operation<'_>,
///     provider: &Provider,
/// ) -> Result<u64, Infallible> {
///     let refund: Refund = op.step("provider-refund", |key| provider.refund(key)).await?;
///     op.tx().put("refund", serde_json::to_vec(&refund).unwrap_or_default());
///     Ok(op.fence().get())
/// }
/// ```
pub struct Operation<'o, T: Transaction> {
    store: &'o T::Store,
    request: &'o Request,
    claim: Claim,
    /// `None` while an effect is performed, and after one whose future was dropped.
    tx: &'o mut Option<T>,
    /// Whether the handler may have written through the transaction.
    touched: bool,
    transactions: Transactions<'o, T>,
    ledger: &'o Ledger,
    /// Provider keys, in the order of the workflow's effects.
    keys: &'o [String],
    /// The effects of earlier attempts, once asked for, and of this one.
    known: Option<Vec<BegunEffect>>,
    protected: bool,
}

type Boxed<'o, O> = Pin<Box<dyn Future<Output = Result<O, StoreError>> + Send + 'o>>;

/// How the operation begins and ends transactions: as pointers, because the handler's own signature
/// leaves the transaction's lifetime open, and only one lifetime has a store that begins it.
pub(crate) struct Transactions<'o, T: Transaction> {
    pub(crate) begin: fn(&'o T::Store, &'o Request, Claim) -> Boxed<'o, Claimed<T>>,
    pub(crate) roll_back: fn(&'o T::Store, T) -> Boxed<'o, ()>,
}

/// What an operation is made of.
pub(crate) struct Parts<'o, T: Transaction> {
    pub(crate) store: &'o T::Store,
    pub(crate) request: &'o Request,
    pub(crate) claim: Claim,
    pub(crate) tx: &'o mut Option<T>,
    pub(crate) transactions: Transactions<'o, T>,
    pub(crate) ledger: &'o Ledger,
    pub(crate) keys: &'o [String],
    pub(crate) protected: bool,
}

/// Unwinds from a handler to the library without a panic's message.
pub(crate) struct Halt;

impl<'o, T: Transaction> Operation<'o, T> {
    pub(crate) fn new(parts: Parts<'o, T>) -> Self {
        let Parts {
            store,
            request,
            claim,
            tx,
            transactions,
            ledger,
            keys,
            protected,
        } = parts;
        Self {
            store,
            request,
            claim,
            tx,
            touched: false,
            transactions,
            ledger,
            keys,
            known: None,
            protected,
        }
    }

    /// The transaction that the handler's own writes join.
    ///
    /// **Panics**: never where it is seen. After a call whose future was dropped before its end the
    /// handler is stopped here, as it would be at its next `await`.
    pub fn tx(&mut self) -> &mut T {
        self.touched = true;
        match &mut *self.tx {
            Some(tx) => tx,
            None => resume_unwind(Box::new(Halt)),
        }
    }

    /// The fence of this attempt, to be sent with writes to other systems.
    #[must_use]
    pub const fn fence(&self) -> Fence {
        self.claim.fence
    }

    /// Which attempt this is, counted from 1.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.claim.attempt
    }
}

impl<'o, T> Operation<'o, T>
where
    T: Transaction,
    T::Store: EffectStore,
{
    /// Performs an effect whose provider deduplicates on the key that is sent with the call. The key is
    /// [`provider_key`], the same on every attempt.
    ///
    /// A call that gives no answer within the effect's timeout, or an error of class
    /// [`FailureClass::Unknown`](crate::FailureClass::Unknown), is tried again with the same key, as often as the effect says. When
    /// the last try gave no answer the attempt ends with
    /// [`Error::Unanswered`](crate::Error::Unanswered).
    ///
    /// **Errors**: the closure's. Its class says what is kept: after `NoEffect` and `Final` the effect
    /// had never begun, unless an earlier call of it gave no answer.
    ///
    /// **Cancel safety**: dropping the future ends the attempt; a later one calls again, as long as the
    /// provider remembers the key.
    pub async fn step<V, E, F, A>(&mut self, name: &'static str, call: F) -> Result<V, E>
    where
        V: Serialize + DeserializeOwned,
        E: Failure,
        F: FnMut(&'o str) -> A,
        A: Future<Output = Result<V, E>>,
    {
        self.perform(name, EffectKind::KeyedRemote, call).await
    }

    /// Performs an effect that cannot be taken back. It is called once: when it gives no answer within
    /// its timeout, or the process dies before its result is recorded, nobody knows whether it happened,
    /// and a person decides.
    ///
    /// **Errors**: the closure's. Its class says what is kept: after `NoEffect` and `Final` the effect
    /// had never begun; after `Unknown` it may have happened.
    ///
    /// **Cancel safety**: dropping the future ends the attempt, and a person decides.
    pub async fn irreversible<V, E, F, A>(&mut self, name: &'static str, call: F) -> Result<V, E>
    where
        V: Serialize + DeserializeOwned,
        E: Failure,
        F: FnOnce() -> A,
        A: Future<Output = Result<V, E>>,
    {
        self.perform(name, EffectKind::Irreversible, once(call))
            .await
    }

    /// Performs an effect in a system that does not deduplicate. It is called once, as
    /// [`Operation::irreversible`] is.
    ///
    /// **Errors** and **Cancel safety**: as for [`Operation::irreversible`].
    pub async fn remote<V, E, F, A>(&mut self, name: &'static str, call: F) -> Result<V, E>
    where
        V: Serialize + DeserializeOwned,
        E: Failure,
        F: FnOnce() -> A,
        A: Future<Output = Result<V, E>>,
    {
        self.perform(name, EffectKind::Remote, once(call)).await
    }
}

impl<T: Transaction> fmt::Debug for Operation<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operation")
            .field("fence", &self.claim.fence)
            .field("attempt", &self.claim.attempt)
            .finish_non_exhaustive()
    }
}
