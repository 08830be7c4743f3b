//! Effects outside the store, which a store remembers beside their operation.

use std::future::Future;

use super::{Held, Request, Store};
use crate::claim::Claim;
use crate::{Effect, StoreError};

/// An effect of an operation that began in this window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BegunEffect {
    /// Its name.
    pub effect: String,
    /// Its recorded result; `None` where it began and nobody knows whether it happened.
    pub result: Option<Vec<u8>>,
}

/// A store that remembers which effects outside it an operation has begun, and what they returned.
///
/// Every method is one transition, committed at once, conditional on the claim's key and fence and on
/// the row being in flight. An implementor owes:
///
/// 1. What a begun effect means for a claim is on the operation's own row, written in the same
///    transition: a takeover that waits for that row must not miss it.
/// 2. An unkeyed effect that began and is neither recorded nor cleared makes every later claim
///    [`Told::Ambiguous`](crate::claim::Told::Ambiguous); a keyed one does once it began longer ago than
///    its provider remembers keys. What counts is its first beginning.
/// 3. [`Store::fail`] with nothing left, and [`Store::release`], of a row with an open keyed effect
///    leave it in flight with its lease over.
/// 4. A claim of an expired row starts without old effects; a claim that follows a failed row keeps
///    the recorded ones.
/// 5. The effects go with their row, whoever deletes it.
/// 6. No transition waits for a connection that the caller's own transaction holds.
pub trait EffectStore: Store {
    /// Whether an effect can begin while the handler's transaction is open. A store with one writer
    /// for everything cannot.
    const BESIDE_TRANSACTION: bool;

    /// The effects that began in this window and were not cleared. Writes nothing.
    fn effects(
        &self,
        request: &Request,
    ) -> impl Future<Output = Result<Vec<BegunEffect>, StoreError>> + Send;

    /// Says durably that an effect begins. Where that says [`Held::Lost`], it must not be performed: the
    /// claim is lost, or the provider of an effect that may have happened may have forgotten its key.
    fn begin_effect(
        &self,
        request: &Request,
        claim: &Claim,
        effect: &Effect,
    ) -> impl Future<Output = Result<Held, StoreError>> + Send;

    /// Records the result of an effect that began under this claim.
    fn record_effect(
        &self,
        request: &Request,
        claim: &Claim,
        effect: &Effect,
        result: &[u8],
    ) -> impl Future<Output = Result<Held, StoreError>> + Send;

    /// Takes an effect back that began under this claim and surely did not happen.
    fn clear_effect(
        &self,
        request: &Request,
        claim: &Claim,
        effect: &Effect,
    ) -> impl Future<Output = Result<Held, StoreError>> + Send;
}
