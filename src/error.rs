//! What went wrong, sorted by what a caller can do about it.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::time::SystemTime;

use crate::KeyError;

/// Why a call has no [`Outcome`](crate::Outcome).
#[derive(Debug)]
pub enum Error<E> {
    /// The handler failed and nothing of it remains; a retry is safe, and may run at once.
    Failed(E),
    /// The handler refused for good: every retry gets the same answer.
    Refused {
        /// The handler's error.
        error: E,
        /// Whether it was stored by an earlier attempt.
        replayed: bool,
        /// When it was stored, by the store's clock.
        completed_at: SystemTime,
    },
    /// The handler cannot say whether an outside effect happened: a person decides.
    Unknown(E),
    /// The claim was lost before the commit: everything of this attempt was rolled back, and
    /// another attempt may be at work. A retry is safe.
    Fenced,
    /// A provider that deduplicates gave no answer in time, however often it was called with the same
    /// key. Everything in the store was rolled back; a retry is safe, and asks it again.
    Unanswered {
        /// The effect.
        effect: &'static str,
    },
    /// The event makes no key, or no request hash. No retry helps.
    Key(KeyError),
    /// The store could not be asked.
    Store(StoreError),
    /// What is stored for this key cannot be read. Nothing was run.
    Stored(StoredError),
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(_) => f.write_str("the handler failed and left nothing behind"),
            Self::Refused { replayed: true, .. } => {
                f.write_str("an earlier attempt was refused for good")
            }
            Self::Refused { .. } => f.write_str("the handler refused for good"),
            Self::Unknown(_) => f.write_str("the handler failed and an effect may have happened"),
            Self::Fenced => f.write_str(
                "the claim was lost before the commit, and this attempt was rolled back",
            ),
            Self::Unanswered { effect } => write!(
                f,
                "`{effect}` gave no answer in time; a retry asks again with the same key"
            ),
            Self::Key(_) => f.write_str("the event makes no key"),
            Self::Store(_) => f.write_str("the store could not be asked"),
            Self::Stored(_) => f.write_str("what is stored for this key cannot be read"),
        }
    }
}

impl<E: StdError + 'static> StdError for Error<E> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Failed(error) | Self::Unknown(error) | Self::Refused { error, .. } => Some(error),
            Self::Fenced | Self::Unanswered { .. } => None,
            Self::Key(error) => Some(error),
            Self::Store(error) => Some(error),
            Self::Stored(error) => Some(error),
        }
    }
}

/// The store could not be asked, or could not do what it was asked.
///
/// The kind is found out beside the driver, by codes and never by text, so a server that speaks
/// another language changes nothing.
#[derive(Debug)]
pub struct StoreError {
    kind: StoreErrorKind,
    conflict: bool,
    doing: Cow<'static, str>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// What a caller can do about a [`StoreError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StoreErrorKind {
    /// There is no way to the store now: wait longer, and tell somebody.
    Connection,
    /// The store refused this time; the same call may succeed soon.
    Transient,
    /// The same call will fail again: a table, a right or a statement is wrong.
    Permanent,
}

impl StoreError {
    /// An error of that kind. `doing` completes "while …" and does not repeat the source.
    #[must_use]
    pub fn new(kind: StoreErrorKind, doing: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind,
            conflict: false,
            doing: doing.into(),
            source: None,
        }
    }

    /// A transaction that lost against a concurrent one (a serialization failure, a deadlock):
    /// all of it is undone, and it may be run again.
    #[must_use]
    pub fn conflict(doing: impl Into<Cow<'static, str>>) -> Self {
        Self {
            conflict: true,
            ..Self::new(StoreErrorKind::Transient, doing)
        }
    }

    /// The same, caused by that.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// What can be done about it.
    #[must_use]
    pub const fn kind(&self) -> StoreErrorKind {
        self.kind
    }

    /// Whether the transaction lost against a concurrent one, is undone, and may be run again.
    #[must_use]
    pub const fn is_conflict(&self) -> bool {
        self.conflict
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.doing)
    }
}

impl StdError for StoreError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// What is stored for a key cannot be read: nothing was run, and a person has to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredError {
    key: Box<str>,
    kind: StoredErrorKind,
}

/// Why a stored row cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredErrorKind {
    /// The status is none of `in_flight`, `done`, `failed` and `ambiguous`.
    UnknownStatus {
        /// What is stored instead.
        status: String,
    },
    /// A column holds what it never may.
    BadColumn {
        /// The column's name.
        column: &'static str,
    },
    /// The row says `done`, but holds neither a result nor the mark of one that was not kept.
    MissingResult,
    /// The result was stored by another version of its type.
    OtherResultVersion {
        /// The version stored.
        stored: u32,
        /// The version this program reads.
        expected: u32,
    },
    /// The result's bytes no longer decode as its type.
    Undecodable {
        /// What the decoder says, without the bytes.
        why: String,
    },
    /// The request hash was made by another recipe, so the two cannot be compared.
    OtherHashRecipe {
        /// The recipe's version stored.
        stored: u32,
        /// The version this program hashes by.
        expected: u32,
    },
    /// The recorded result of an effect no longer decodes as its type.
    UndecodableEffect {
        /// The effect.
        effect: &'static str,
        /// What the decoder says, without the bytes.
        why: String,
    },
    /// The key belongs to another workflow's row.
    OtherWorkflow {
        /// The workflow stored.
        stored: String,
    },
}

impl StoredError {
    /// That kind of error, in the row of that key.
    #[must_use]
    pub fn new(key: &str, kind: StoredErrorKind) -> Self {
        Self {
            key: key.into(),
            kind,
        }
    }

    /// Why the row cannot be read.
    #[must_use]
    pub const fn kind(&self) -> &StoredErrorKind {
        &self.kind
    }

    /// The row's key.
    #[must_use]
    pub const fn key(&self) -> &str {
        &self.key
    }
}

impl fmt::Display for StoredError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.key;
        match &self.kind {
            StoredErrorKind::UnknownStatus { status } => write!(
                f,
                "reading the row of `{key}`: status `{status}` is unknown to this version; \
                 update this program, or correct the row"
            ),
            StoredErrorKind::BadColumn { column } => write!(
                f,
                "reading the row of `{key}`: column `{column}` holds what it never may; \
                 the row is damaged, correct it by hand"
            ),
            StoredErrorKind::MissingResult => write!(
                f,
                "reading the row of `{key}`: it says `done` but holds no result; \
                 the row is damaged, correct it by hand"
            ),
            StoredErrorKind::OtherResultVersion { stored, expected } => write!(
                f,
                "reading the result of `{key}`: it was stored as version {stored} of its type, \
                 and this program reads version {expected}; the work is done and is not run again"
            ),
            StoredErrorKind::Undecodable { why } => write!(
                f,
                "reading the result of `{key}`: its bytes do not decode ({why}); \
                 the work is done and is not run again; give a changed result type a new version"
            ),
            StoredErrorKind::UndecodableEffect { effect, why } => write!(
                f,
                "reading the result of effect `{effect}` of `{key}`: its bytes do not decode ({why}); \
                 the effect has happened and is not performed again; keep its type readable"
            ),
            StoredErrorKind::OtherHashRecipe { stored, expected } => write!(
                f,
                "comparing the request of `{key}`: its hash was made by recipe {stored}, \
                 and this program hashes by recipe {expected}; a changed recipe needs a new `version`"
            ),
            StoredErrorKind::OtherWorkflow { stored } => write!(
                f,
                "reading the row of `{key}`: it belongs to workflow `{stored}`"
            ),
        }
    }
}

/// A decoder's complaint without the values that its message quotes.
pub(crate) fn what_json_says(error: &serde_json::Error) -> String {
    let what = match error.classify() {
        serde_json::error::Category::Io => "reading failed",
        serde_json::error::Category::Syntax => "not JSON",
        serde_json::error::Category::Data => "JSON of another shape",
        serde_json::error::Category::Eof => "cut off",
    };
    format!("{what}, at byte {}", error.column())
}

impl StdError for StoredError {}
