//! What a caller is told when nothing went wrong: every road is a value.

use std::time::{Duration, SystemTime};

use crate::Fence;

/// What became of one call. Losing a race is not an error: it is one of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<R> {
    /// This call did the work, and its effects are committed.
    Fresh(Answer<R>),
    /// An earlier attempt did the work; this is its result, byte for byte. Nothing was written.
    Replay(Answer<R>),
    /// An earlier attempt did the work; its result was not kept.
    Tombstone {
        /// When it was completed, by the store's clock.
        completed_at: SystemTime,
    },
    /// Another attempt is at work. Nothing was written.
    Busy {
        /// When it is worth asking again: the lease's rest, where there is a lease.
        retry_after: Duration,
    },
    /// The key belongs to another request. Nothing was written.
    Mismatch {
        /// The request fields that differ, by their names in the contract.
        fields: Vec<String>,
    },
    /// Every attempt failed; a person decides. Nothing was written.
    Exhausted {
        /// How many attempts there were.
        attempts: u32,
    },
    /// An effect may or may not have happened; a person decides. Nothing was run.
    Ambiguous {
        /// What is known about it.
        reason: String,
    },
    /// The event is older than what was already applied to its entity. Nothing was written.
    Stale,
}

impl<R> Outcome<R> {
    /// The result, whether fresh or replayed.
    #[must_use]
    pub const fn answer(&self) -> Option<&Answer<R>> {
        match self {
            Self::Fresh(answer) | Self::Replay(answer) => Some(answer),
            Self::Tombstone { .. }
            | Self::Busy { .. }
            | Self::Mismatch { .. }
            | Self::Exhausted { .. }
            | Self::Ambiguous { .. }
            | Self::Stale => None,
        }
    }

    /// The result's value, whether fresh or replayed.
    #[must_use]
    pub fn into_value(self) -> Option<R> {
        match self {
            Self::Fresh(answer) | Self::Replay(answer) => Some(answer.value),
            Self::Tombstone { .. }
            | Self::Busy { .. }
            | Self::Mismatch { .. }
            | Self::Exhausted { .. }
            | Self::Ambiguous { .. }
            | Self::Stale => None,
        }
    }

    /// Whether the work had been done before this call.
    #[must_use]
    pub const fn is_replay(&self) -> bool {
        matches!(self, Self::Replay(_) | Self::Tombstone { .. })
    }
}

/// A result, with what is known about its making.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<R> {
    /// The handler's value.
    pub value: R,
    bytes: Vec<u8>,
    completed_at: SystemTime,
    attempt: u32,
    fence: Fence,
}

impl<R> Answer<R> {
    pub(crate) const fn new(
        value: R,
        bytes: Vec<u8>,
        completed_at: SystemTime,
        attempt: u32,
        fence: Fence,
    ) -> Self {
        Self {
            value,
            bytes,
            completed_at,
            attempt,
            fence,
        }
    }

    /// The value's encoding as it is stored, the same bytes for the first answer and for each replay:
    /// without the fields that the contract's `redact` names, which the first answer's `value` has.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// When the work was completed, by the store's clock.
    #[must_use]
    pub const fn completed_at(&self) -> SystemTime {
        self.completed_at
    }

    /// Which attempt did the work, counted from 1.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The fence under which the work was done.
    #[must_use]
    pub const fn fence(&self) -> Fence {
        self.fence
    }
}
