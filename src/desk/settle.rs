//! What a person can do about an operation.

use std::time::SystemTime;

use super::{Desk, Entry, find};
use crate::claim::{ResultKind, Status};
use crate::observe;
use crate::{Fence, StoreError};

/// What a person did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// Said what became of it.
    Resolve,
    /// Granted one more attempt.
    Retry,
    /// Ended its window.
    Forget,
}

impl Act {
    /// Every act.
    pub const ALL: [Self; 3] = [Self::Resolve, Self::Retry, Self::Forget];

    /// The word that is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Resolve => "resolve",
            Self::Retry => "retry",
            Self::Forget => "forget",
        }
    }

    /// The act behind a stored word.
    #[must_use]
    pub fn from_stored(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|act| act.as_str() == word)
    }
}

/// A change that a person makes to one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change<'a> {
    /// The work was done. Every later delivery is told so, with this result.
    Done(Option<GivenResult<'a>>),
    /// Nothing was done: the next delivery may try again, where attempts are left.
    Failed,
    /// One more attempt, whatever the contract says.
    Retry,
    /// The key counts as absent from now on: the next delivery is new work.
    Forget,
}

/// A result that a person supplies. Without one, a replay says only that and when the work was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenResult<'a> {
    /// The handler's value as JSON: the bytes that every replay returns.
    pub bytes: &'a [u8],
    /// The version of its type.
    pub version: u32,
}

impl Change<'_> {
    /// Which act it is.
    #[must_use]
    pub const fn act(&self) -> Act {
        match self {
            Self::Done(_) | Self::Failed => Act::Resolve,
            Self::Retry => Act::Retry,
            Self::Forget => Act::Forget,
        }
    }

    /// The status after it; `None` where the key counts as absent.
    pub(crate) const fn status(&self, before: Status) -> Option<Status> {
        match self {
            Self::Done(_) => Some(Status::Done),
            Self::Failed => Some(Status::Failed),
            Self::Retry => Some(before),
            Self::Forget => None,
        }
    }

    /// Kind, bytes and version of the result it stores.
    pub(crate) const fn result(&self) -> Option<(ResultKind, Option<&[u8]>, u32)> {
        match self {
            Self::Done(Some(given)) => Some((ResultKind::Value, Some(given.bytes), given.version)),
            Self::Done(None) => Some((ResultKind::Tombstone, None, 1)),
            Self::Failed | Self::Retry | Self::Forget => None,
        }
    }

    /// Why it makes no sense for an operation that stands there.
    fn refused(&self, seen: &Entry) -> Option<&'static str> {
        if seen.is_at_work() {
            return Some("an attempt is at work on it; wait for its lease to end");
        }
        if seen.expired {
            return Some("its window is over: the key counts as absent already");
        }
        match (self, seen.status) {
            (Self::Done(_) | Self::Failed, Status::Done) => Some("it is done"),
            (Self::Failed, Status::Failed) => {
                Some("it is failed; `retry` grants it one more attempt")
            }
            (Self::Retry, Status::Done) => Some("it is done"),
            (Self::Retry, Status::Ambiguous) => {
                Some("an effect of it may have happened; `resolve` it first")
            }
            (Self::Retry, Status::InFlight) if seen.begun_effect.is_some() => {
                Some("an effect of it may have happened; `resolve` it first")
            }
            (Self::Done(_), Status::InFlight | Status::Failed | Status::Ambiguous)
            | (Self::Failed, Status::InFlight | Status::Ambiguous)
            | (Self::Retry, Status::InFlight | Status::Failed)
            | (Self::Forget, _) => None,
        }
    }
}

/// What became of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// It is made; this is the operation now.
    Made(Option<Entry>),
    /// It makes no sense for the operation as it was read; nothing was changed.
    Refused(&'static str),
    /// The row has changed meanwhile; nothing was changed. This is the operation now.
    Changed(Option<Entry>),
}

/// A change that a person made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// When, by the store's clock.
    pub at: SystemTime,
    /// Who.
    pub by: String,
    /// What.
    pub act: Act,
    /// The status before.
    pub old: Status,
    /// The status after; `None` where the key counts as absent since.
    pub new: Option<Status>,
    /// The fence before.
    pub fence: Fence,
    /// The attempt before.
    pub attempt: u32,
    /// Why.
    pub note: String,
}

/// Makes a change to an operation, when its row is still as `seen`.
///
/// The new fence shuts out whoever worked on the operation before. The key's dead letters are closed,
/// and who did it (`by`) and why (`note`) is written down in the same transaction.
///
/// **Errors**: the store could not be asked.
pub async fn settle<S: Desk>(
    store: &S,
    seen: &Entry,
    change: &Change<'_>,
    by: &str,
    note: &str,
) -> Result<Settled, StoreError> {
    if let Some(why) = change.refused(seen) {
        return Ok(Settled::Refused(why));
    }
    let made = store.change(seen, change, by, note).await?;
    let now = find(store, &seen.key).await?;
    if !made {
        return Ok(Settled::Changed(now));
    }
    observe::settled(&seen.workflow, &seen.key, change.act().as_str(), by);
    Ok(Settled::Made(now))
}
