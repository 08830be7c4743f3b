//! What an operator sees: cases that only a person decides, and how they are settled.
//!
//! An operation that is *ambiguous* (an effect may or may not have happened) or *exhausted* (every
//! attempt failed) is one dead letter, however many deliveries are told about it. The store writes it
//! in the moment the case is first known; an event at error level and the [`DeadLetter`] hooks follow
//! once, when it was written.
//!
//! [`list`](Desk::list) and [`show`] look; [`settle`] changes one operation, conditional on the row
//! being as it was read, and writes down who did it and why.

mod entry;
mod hook;
mod letter;
mod settle;
mod sweeper;
mod workflows;

use std::future::Future;

pub use self::entry::{Entry, Filter, KeptResult};
pub(crate) use self::hook::announce;
pub use self::hook::{DeadLetter, Hooks, on_dead_letter};
pub use self::letter::{Letter, LetterKind};
pub use self::settle::{Act, Change, GivenResult, Settled, Settlement, settle};
pub use self::sweeper::{Sweeper, Sweeping, Swept};
pub(crate) use self::workflows::remember;
pub use self::workflows::{Addressee, Workflows};

use crate::store::Request;
use crate::{Store, StoreError};

/// A store that keeps the cases for a person, and that an operator can look into.
///
/// An implementor owes:
///
/// 1. One dead letter a case, whoever finds it and however often. It is written conditional on the
///    row, in one transaction with the mark that makes an operation ambiguous.
/// 2. A change is conditional on the row being as it was seen, raises the fence, closes the letters
///    and writes down who made it, in one transaction.
/// 3. Nothing here waits for a row that somebody works on, and no payload is read.
pub trait Desk: Store {
    /// Writes the dead letter of the request's key, when only a person can decide about it and there
    /// is none yet: the operation is ambiguous; its owner is gone in the middle of an effect that
    /// nobody may perform again, which makes it ambiguous now; or its attempts are used up. Of any
    /// number of calls one returns the letter.
    fn note(
        &self,
        request: &Request,
    ) -> impl Future<Output = Result<Option<Letter>, StoreError>> + Send;

    /// Does the same for up to `batch` ambiguous operations, without a delivery, and returns the
    /// letters written. The letter of a workflow that is not among `workflows` names no owner.
    fn promote(
        &self,
        batch: u32,
        workflows: &Workflows,
    ) -> impl Future<Output = Result<Vec<Letter>, StoreError>> + Send;

    /// Who is told about letters of this store, besides those that are told about every store's.
    fn hooks(&self) -> &Hooks;

    /// The operations that the filter lets through: those that wait for a person oldest first, others
    /// in the order of their keys.
    fn list(&self, filter: &Filter) -> impl Future<Output = Result<Vec<Entry>, StoreError>> + Send;

    /// Every dead letter that the key ever had, oldest first.
    fn letters(&self, key: &str) -> impl Future<Output = Result<Vec<Letter>, StoreError>> + Send;

    /// Who changed the key by hand, oldest first.
    fn settlements(
        &self,
        key: &str,
    ) -> impl Future<Output = Result<Vec<Settlement>, StoreError>> + Send;

    /// Makes the change, closes the key's dead letters and writes down who did it, in one
    /// transaction that is conditional on the row being as `seen`, and at nobody's work. Says
    /// whether it was. [`settle`] is what an operator calls.
    fn change(
        &self,
        seen: &Entry,
        change: &Change<'_>,
        by: &str,
        note: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;
}

/// What is known about one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The operation; `None` where the key has no row any more.
    pub entry: Option<Entry>,
    /// Its dead letters, oldest first.
    pub letters: Vec<Letter>,
    /// What people did about it, oldest first.
    pub settlements: Vec<Settlement>,
}

/// Reads what is known about one key. `None`: nothing, and nothing ever was.
///
/// **Errors**: the store could not be asked.
pub async fn show<S: Desk>(store: &S, key: &str) -> Result<Option<File>, StoreError> {
    let file = File {
        entry: find(store, key).await?,
        letters: store.letters(key).await?,
        settlements: store.settlements(key).await?,
    };
    let empty = file.entry.is_none() && file.letters.is_empty() && file.settlements.is_empty();
    Ok((!empty).then_some(file))
}

/// Reads one operation.
///
/// **Errors**: the store could not be asked.
pub async fn find<S: Desk>(store: &S, key: &str) -> Result<Option<Entry>, StoreError> {
    let found = store.list(&Filter::new().key(key).limit(1)).await?;
    Ok(found.into_iter().next())
}
