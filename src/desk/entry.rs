//! One operation as an operator sees it, and which of them.

use std::time::{Duration, SystemTime};

use super::Letter;
use crate::Fence;
use crate::claim::{ResultKind, Status};

/// Which operations.
///
/// ```
/// use std::time::Duration;
///
/// use idem::desk::Filter;
///
/// let waiting = Filter::new()
///     .dead()
///     .workflow("refund-order")
///     .older_than(Duration::from_secs(4 * 60 * 60));
/// assert_eq!(waiting.most(), 100);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    pub(crate) dead: bool,
    pub(crate) workflow: Option<String>,
    pub(crate) state: Option<Status>,
    pub(crate) tenant: Option<String>,
    pub(crate) older_than: Option<Duration>,
    pub(crate) key: Option<String>,
    pub(crate) limit: u32,
}

impl Default for Filter {
    fn default() -> Self {
        Self::new()
    }
}

impl Filter {
    /// The first hundred of all.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            dead: false,
            workflow: None,
            state: None,
            tenant: None,
            older_than: None,
            key: None,
            limit: 100,
        }
    }

    /// Only those that wait for a person.
    #[must_use]
    pub const fn dead(mut self) -> Self {
        self.dead = true;
        self
    }

    /// Only that workflow's.
    #[must_use]
    pub fn workflow(mut self, name: impl Into<String>) -> Self {
        self.workflow = Some(name.into());
        self
    }

    /// Only those that stand there.
    #[must_use]
    pub const fn state(mut self, state: Status) -> Self {
        self.state = Some(state);
        self
    }

    /// Only that tenant's.
    #[must_use]
    pub fn tenant(mut self, tenant: impl Into<String>) -> Self {
        self.tenant = Some(tenant.into());
        self
    }

    /// Only those claimed, or with [`Filter::dead`] known, at least that long ago.
    #[must_use]
    pub const fn older_than(mut self, age: Duration) -> Self {
        self.older_than = Some(age);
        self
    }

    /// Only that key.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// At most that many.
    #[must_use]
    pub const fn limit(mut self, most: u32) -> Self {
        self.limit = most;
        self
    }

    /// At most how many.
    #[must_use]
    pub const fn most(&self) -> u32 {
        self.limit
    }
}

/// One operation's row, without any payload, judged by the store's clock in the moment of reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The workflow that wrote it.
    pub workflow: String,
    /// The tenant, where one is known.
    pub tenant: Option<String>,
    /// Where the operation stands.
    pub status: Status,
    /// Which attempt the row is about.
    pub attempt: u32,
    /// The fence of its last owner.
    pub fence: Fence,
    /// When it was claimed.
    pub claimed_at: SystemTime,
    /// What remains of its lease; `None` where none runs.
    pub lease_left: Option<Duration>,
    /// When it was done.
    pub completed_at: Option<SystemTime>,
    /// When its window ends; `None` for never.
    pub expires_at: Option<SystemTime>,
    /// Whether its window is over, so that its key counts as absent.
    pub expired: bool,
    /// An effect that had begun and may have happened, and that nobody may perform again.
    pub begun_effect: Option<String>,
    /// What is known about an ambiguous one.
    pub ambiguous_reason: Option<String>,
    /// What is known of a done one's result.
    pub result: Option<KeptResult>,
    /// Its dead letter, while that waits for a person.
    pub letter: Option<Letter>,
}

/// What is said of a stored result instead of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptResult {
    /// What kind of result it is.
    pub kind: ResultKind,
    /// The version of its type.
    pub version: u32,
    /// How many bytes are stored.
    pub bytes: u64,
}

impl Entry {
    /// Whether an attempt is at work, as far as the store's clock can tell.
    #[must_use]
    pub const fn is_at_work(&self) -> bool {
        matches!(self.status, Status::InFlight) && self.lease_left.is_some()
    }

    /// Where it stands, in words for a person.
    #[must_use]
    pub const fn state(&self) -> &'static str {
        match (self.status, self.expired) {
            (Status::Done | Status::Failed, true) => "forgotten",
            (Status::InFlight, _) => match (&self.lease_left, &self.begun_effect) {
                (Some(_), _) => "in flight",
                (None, Some(_)) => "in flight, its owner gone in the middle of an effect",
                (None, None) => "in flight, its owner gone",
            },
            (Status::Done, false) => "done",
            (Status::Failed, false) => "failed",
            (Status::Ambiguous, _) => "ambiguous",
        }
    }
}
