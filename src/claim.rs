//! The claim's decision, as one pure function of the row found: no store, no clock, no I/O.
//!
//! A store reads the row judged by its own clock and asks [`decide`]; where the answer is
//! [`Decision::Won`], a statement that is conditional on the row being unchanged has the last word.

use std::time::{Duration, SystemTime};

use crate::error::{StoredError, StoredErrorKind};
use crate::store::Request;
use crate::{Effect, EffectKind, Fence};

/// Where an operation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// An attempt is at work, or was when it died.
    InFlight,
    /// The work is done, or was refused for good.
    Done,
    /// The last attempt failed and left nothing behind.
    Failed,
    /// An effect may or may not have happened.
    Ambiguous,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 4] = [Self::InFlight, Self::Done, Self::Failed, Self::Ambiguous];

    /// The word that is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InFlight => "in_flight",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Ambiguous => "ambiguous",
        }
    }

    /// The status behind a stored word.
    #[must_use]
    pub fn from_stored(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }
}

/// What kind of result a `done` row holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultKind {
    /// The handler's value.
    Value,
    /// The handler's definitive refusal.
    Refusal,
    /// Only that and when the work was done.
    Tombstone,
}

impl ResultKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Value, Self::Refusal, Self::Tombstone];

    /// The word that is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Refusal => "refusal",
            Self::Tombstone => "tombstone",
        }
    }

    /// The kind behind a stored word.
    #[must_use]
    pub fn from_stored(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// A stored result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredResult {
    /// What kind of result it is.
    pub kind: ResultKind,
    /// Its bytes, exactly as the first attempt stored them; empty for a tombstone.
    pub bytes: Vec<u8>,
    /// The version of its type.
    pub version: u32,
    /// When it was stored, by the store's clock.
    pub completed_at: SystemTime,
}

/// The row of a key, judged by the store's clock in the moment of reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The workflow that wrote it.
    pub workflow: String,
    /// Where the operation stands.
    pub status: Status,
    /// Whether a `done` or `failed` row is past its window, and so counts as absent.
    pub expired: bool,
    /// What remains of an `in_flight` row's lease; `None` when it is over.
    pub lease_left: Option<Duration>,
    /// The request's digest.
    pub request_hash: Vec<u8>,
    /// The version of the recipe that made it.
    pub hash_recipe: u32,
    /// A short digest of each hashed field.
    pub field_digests: Vec<u8>,
    /// Which attempt the row is about; 0 when the only one was given back.
    pub attempt: u32,
    /// The fence of its last owner.
    pub fence: Fence,
    /// The result of a `done` row.
    pub result: Option<StoredResult>,
    /// The effect that had begun and may have happened, if one had that nobody may perform again: an
    /// irreversible or unkeyed one, or a keyed one whose provider may have forgotten its key.
    pub begun_effect: Option<String>,
    /// What is known about an `ambiguous` row.
    pub ambiguous_reason: Option<String>,
}

/// The row that a claim follows: what its conditional write compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Followed {
    /// The row's fence.
    pub fence: Fence,
    /// The row's status.
    pub status: Status,
}

/// A claim that was won: which attempt it is, and under which fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// Which attempt this is, counted from 1.
    pub attempt: u32,
    /// The fence of this owner.
    pub fence: Fence,
    /// The row it follows; `None` when the key was absent.
    pub followed: Option<Followed>,
    /// The previous recipe under whose key that row lies, counted as
    /// [`Request::previous_keys`] lists them; `None` for the present one. The operation goes on there.
    pub previous: Option<u8>,
}

/// The answer to a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The caller owns the key and does the work.
    Won(Claim),
    /// Somebody else has done, does or must do something about it.
    Told(Told),
}

/// Why a claim was not won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// The work is done: this is its result.
    Replay {
        /// What was stored.
        result: StoredResult,
        /// Which attempt stored it.
        attempt: u32,
        /// Under which fence.
        fence: Fence,
    },
    /// Another attempt is at work.
    Busy {
        /// When it is worth asking again.
        retry_after: Duration,
    },
    /// The key belongs to another request.
    Mismatch {
        /// The fields that differ.
        fields: Vec<String>,
    },
    /// Every attempt was used up.
    Exhausted {
        /// How many there were.
        attempts: u32,
    },
    /// An effect may or may not have happened.
    Ambiguous {
        /// What is known about it.
        reason: String,
    },
    /// The row cannot be read: nothing may run.
    Unreadable(StoredError),
}

/// When a fused loser should ask again at the latest: no row says how long the winner will take,
/// and its handler is a transaction, which is short.
pub const FUSED_RETRY: Duration = Duration::from_secs(1);

/// Decides a claim from the row found: the table of the specification, read from top to bottom.
#[must_use]
pub fn decide(row: Option<Row>, request: &Request) -> Decision {
    judge(row, request, None)
}

/// The same during an overlap of recipes: beside the row under the present key, `previous` has the
/// rows under previous ones whose time is not over, with their places in
/// [`Request::previous_keys`]. The row that knows most about the operation decides; of equal ones the
/// present key's.
#[must_use]
pub fn decide_among(
    present: Option<Row>,
    previous: impl IntoIterator<Item = (u8, Row)>,
    request: &Request,
) -> Decision {
    let mut place = None;
    let mut best = present;
    for (at, row) in previous {
        if knows(Some(&row)) > knows(best.as_ref()) {
            place = Some(at);
            best = Some(row);
        }
    }
    match judge(best, request, place) {
        Decision::Won(claim) => Decision::Won(Claim {
            previous: place,
            ..claim
        }),
        told @ Decision::Told(_) => told,
    }
}

/// How much a row knows about its operation: an end weighs more than an attempt, and an attempt more
/// than a failure.
fn knows(row: Option<&Row>) -> u8 {
    match row {
        None => 0,
        Some(row) if row.expired => 0,
        Some(row) => match row.status {
            Status::Failed => 1,
            Status::InFlight => 2,
            Status::Ambiguous => 3,
            Status::Done => 4,
        },
    }
}

fn judge(row: Option<Row>, request: &Request, previous: Option<u8>) -> Decision {
    let Some(row) = row else {
        return Decision::Won(Claim {
            attempt: 1,
            fence: Fence::FIRST,
            followed: None,
            previous: None,
        });
    };
    if row.expired {
        return Decision::Won(row.next_claim(1));
    }
    if let Some(told) = other_request(&row, request, previous) {
        return Decision::Told(told);
    }
    let attempts_left = row.attempt < request.workflow().attempts();
    let exhausted = Told::Exhausted {
        attempts: row.attempt,
    };
    match row.status {
        Status::Done => Decision::Told(replay(row, request)),
        Status::Failed if attempts_left => Decision::Won(row.next_claim(row.attempt + 1)),
        Status::Failed => Decision::Told(exhausted),
        Status::InFlight => match (row.lease_left, &row.begun_effect) {
            (Some(retry_after), _) => Decision::Told(Told::Busy { retry_after }),
            (None, Some(effect)) => Decision::Told(Told::Ambiguous {
                reason: open_when_the_lease_ran_out(effect, request),
            }),
            (None, None) if attempts_left => Decision::Won(row.next_claim(row.attempt + 1)),
            (None, None) => Decision::Told(exhausted),
        },
        Status::Ambiguous => Decision::Told(Told::Ambiguous {
            reason: row.ambiguous_reason.unwrap_or_default(),
        }),
    }
}

fn open_when_the_lease_ran_out(effect: &str, request: &Request) -> String {
    match request.workflow().effect(effect).map(Effect::kind) {
        Some(EffectKind::KeyedRemote) => format!(
            "`{effect}` had begun longer ago than its provider remembers keys, and whether it happened \
             is not recorded"
        ),
        Some(EffectKind::Remote | EffectKind::Irreversible) | None => format!(
            "`{effect}` had begun when the lease ran out, and whether it happened is not recorded"
        ),
    }
}

impl Row {
    fn next_claim(&self, attempt: u32) -> Claim {
        Claim {
            attempt,
            fence: self.fence.next(),
            followed: Some(Followed {
                fence: self.fence,
                status: self.status,
            }),
            previous: None,
        }
    }
}

/// Whether the row belongs to another request, or cannot be compared with this one.
fn other_request(row: &Row, request: &Request, previous: Option<u8>) -> Option<Told> {
    let unreadable = |kind| {
        Some(Told::Unreadable(StoredError::new(
            request.key().as_str(),
            kind,
        )))
    };
    if row.workflow != request.workflow().name() {
        return unreadable(StoredErrorKind::OtherWorkflow {
            stored: row.workflow.clone(),
        });
    }
    let fingerprint = request.fingerprint();
    if row.hash_recipe != fingerprint.version() && previous.is_some() {
        // The recipes overlap, and what both of them hash has to be equal.
        let fields = fingerprint.contradicting_fields(&row.field_digests);
        return (!fields.is_empty()).then_some(Told::Mismatch { fields });
    }
    if row.hash_recipe != fingerprint.version() {
        return unreadable(StoredErrorKind::OtherHashRecipe {
            stored: row.hash_recipe,
            expected: fingerprint.version(),
        });
    }
    if row.request_hash.as_slice() == fingerprint.digest().as_slice() {
        return None;
    }
    Some(Told::Mismatch {
        fields: fingerprint.differing_fields(&row.field_digests),
    })
}

fn replay(row: Row, request: &Request) -> Told {
    match row.result {
        Some(result) => Told::Replay {
            result,
            attempt: row.attempt,
            fence: row.fence,
        },
        None => Told::Unreadable(StoredError::new(
            request.key().as_str(),
            StoredErrorKind::MissingResult,
        )),
    }
}
