//! One case for a person.

use std::time::{Duration, SystemTime};

use crate::Fence;

/// Why only a person can decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LetterKind {
    /// An effect may or may not have happened.
    Ambiguous,
    /// Every attempt failed, and none left anything behind.
    Exhausted,
}

impl LetterKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Ambiguous, Self::Exhausted];

    /// The word that is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ambiguous => "ambiguous",
            Self::Exhausted => "exhausted",
        }
    }

    /// The kind behind a stored word.
    #[must_use]
    pub fn from_stored(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// A case for a person, as it was written down when it became known. It holds no payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// The operation's key.
    pub key: String,
    /// Its workflow.
    pub workflow: String,
    /// Its tenant, where one is known.
    pub tenant: Option<String>,
    /// Why only a person can decide.
    pub kind: LetterKind,
    /// What is known.
    pub known: String,
    /// Since when, by the store's clock.
    pub since: SystemTime,
    /// The attempt it came of.
    pub attempt: u32,
    /// That attempt's fence.
    pub fence: Fence,
    /// Who is asked, as the contract says; `None` where whoever found the case did not know.
    pub owner: Option<String>,
    /// Where they are asked.
    pub channel: Option<String>,
    /// By when it should be settled, from `since`.
    pub deadline: Option<Duration>,
    /// When it was settled; `None` while it waits.
    pub settled_at: Option<SystemTime>,
}
