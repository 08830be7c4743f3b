//! What the other side is told, at every edge from one table.
//!
//! | verdict | HTTP | broker |
//! | --- | --- | --- |
//! | fresh, replay | the stored status and body; replays are marked | acknowledge |
//! | busy | 409 with `Retry-After` | redeliver after the time left |
//! | mismatch | 422 | dead letter |
//! | ambiguous, exhausted | 409, no retry hint | acknowledge; it is in our dead letter |
//! | stale | 200, marked stale | acknowledge |
//! | key missing or malformed | 400 | dead letter |
//! | fenced, unanswered, store unavailable | 503 with `Retry-After` | redeliver with backoff |
//! | failed | the error's own answer | redeliver with backoff |
//! | refused for good | the error's own answer; replays are marked | acknowledge |
//! | a stored row that cannot be read | 500, no retry hint | dead letter |
//!
//! A message is acknowledged after the commit, never before.

#[cfg(feature = "axum")]
pub mod axum;

use std::time::Duration;

use crate::{Error, Outcome};

/// How long a caller is asked to wait when the store or the claim was lost: long enough for a
/// connection to come back, short enough for a person who is watching.
const AFTER_OUTAGE: Duration = Duration::from_secs(5);

/// What one call comes to, as an edge sees it: an outcome or error without its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The work was done by this call.
    Fresh,
    /// The work was done before; its result is kept.
    Replay,
    /// The work was done before; its result was not kept.
    Tombstone,
    /// Older than what was already applied.
    Stale,
    /// Another attempt is at work.
    Busy {
        /// When it is worth asking again.
        retry_after: Duration,
    },
    /// The key belongs to another request.
    Mismatch,
    /// Every attempt failed.
    Exhausted,
    /// Nobody knows whether an effect happened.
    Ambiguous,
    /// The handler failed and left nothing behind.
    Failed,
    /// The handler refused for good.
    Refused {
        /// Whether an earlier attempt was told so.
        replayed: bool,
    },
    /// The event makes no key, or no request hash.
    BadKey,
    /// The claim was lost before the commit.
    Fenced,
    /// A provider that deduplicates gave no answer in time.
    Unanswered,
    /// The store could not be asked.
    StoreUnavailable,
    /// What is stored for the key cannot be read.
    Unreadable,
}

/// What to do with a broker's message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Broker {
    /// It is done with, here or in our own dead letter.
    Acknowledge,
    /// It may come again, not before that.
    RedeliverAfter(Duration),
    /// It may come again, with the broker's growing pauses.
    RedeliverWithBackoff,
    /// No redelivery helps: the sender has to look.
    DeadLetter,
}

/// The problem behind an answer that is not a result: the type and title of RFC 9457.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Problem {
    /// An identifier, not an address; it ends in the problem's name.
    pub uri: &'static str,
    /// The same words for every occurrence.
    pub title: &'static str,
}

impl Verdict {
    /// What a wrapped handler's result comes to.
    #[must_use]
    pub const fn of<R, E>(result: &Result<Outcome<R>, Error<E>>) -> Self {
        match result {
            Ok(outcome) => Self::of_outcome(outcome),
            Err(error) => Self::of_error(error),
        }
    }

    /// What an outcome comes to.
    #[must_use]
    pub const fn of_outcome<R>(outcome: &Outcome<R>) -> Self {
        match outcome {
            Outcome::Fresh(_) => Self::Fresh,
            Outcome::Replay(_) => Self::Replay,
            Outcome::Tombstone { .. } => Self::Tombstone,
            Outcome::Busy { retry_after } => Self::Busy {
                retry_after: *retry_after,
            },
            Outcome::Mismatch { .. } => Self::Mismatch,
            Outcome::Exhausted { .. } => Self::Exhausted,
            Outcome::Ambiguous { .. } => Self::Ambiguous,
            Outcome::Stale => Self::Stale,
        }
    }

    /// What an error comes to.
    #[must_use]
    pub const fn of_error<E>(error: &Error<E>) -> Self {
        match error {
            Error::Failed(_) => Self::Failed,
            Error::Refused { replayed, .. } => Self::Refused {
                replayed: *replayed,
            },
            Error::Unknown(_) => Self::Ambiguous,
            Error::Fenced => Self::Fenced,
            Error::Unanswered { .. } => Self::Unanswered,
            Error::Key(_) => Self::BadKey,
            Error::Store(_) => Self::StoreUnavailable,
            Error::Stored(_) => Self::Unreadable,
        }
    }

    /// One word for logs, metrics and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Replay => "replay",
            Self::Tombstone => "tombstone",
            Self::Stale => "stale",
            Self::Busy { .. } => "busy",
            Self::Mismatch => "mismatch",
            Self::Exhausted => "exhausted",
            Self::Ambiguous => "ambiguous",
            Self::Failed => "failed",
            Self::Refused { .. } => "refused",
            Self::BadKey => "bad-key",
            Self::Fenced => "fenced",
            Self::Unanswered => "unanswered",
            Self::StoreUnavailable => "unavailable",
            Self::Unreadable => "unreadable",
        }
    }

    /// The HTTP status, following draft-ietf-httpapi-idempotency-key-header-07. `None` where the
    /// result or the handler's error has a status of its own.
    #[must_use]
    pub const fn status(self) -> Option<u16> {
        match self {
            Self::Fresh | Self::Replay | Self::Failed | Self::Refused { .. } => None,
            Self::Tombstone => Some(204),
            Self::Stale => Some(200),
            Self::BadKey => Some(400),
            Self::Busy { .. } | Self::Exhausted | Self::Ambiguous => Some(409),
            Self::Mismatch => Some(422),
            Self::Unreadable => Some(500),
            Self::Fenced | Self::Unanswered | Self::StoreUnavailable => Some(503),
        }
    }

    /// When it is worth asking again; `None` where asking again does not help.
    #[must_use]
    pub const fn retry_after(self) -> Option<Duration> {
        match self {
            Self::Busy { retry_after } => Some(retry_after),
            Self::Fenced | Self::Unanswered | Self::StoreUnavailable => Some(AFTER_OUTAGE),
            Self::Fresh
            | Self::Replay
            | Self::Tombstone
            | Self::Stale
            | Self::Mismatch
            | Self::Exhausted
            | Self::Ambiguous
            | Self::Failed
            | Self::Refused { .. }
            | Self::BadKey
            | Self::Unreadable => None,
        }
    }

    /// Whether the answer is an earlier attempt's, and has to say so.
    #[must_use]
    pub const fn is_replay(self) -> bool {
        matches!(
            self,
            Self::Replay | Self::Tombstone | Self::Refused { replayed: true }
        )
    }

    /// What to do with a broker's message.
    #[must_use]
    pub const fn broker(self) -> Broker {
        match self {
            Self::Fresh
            | Self::Replay
            | Self::Tombstone
            | Self::Stale
            | Self::Exhausted
            | Self::Ambiguous
            | Self::Refused { .. } => Broker::Acknowledge,
            Self::Busy { retry_after } => Broker::RedeliverAfter(retry_after),
            Self::Failed | Self::Fenced | Self::Unanswered | Self::StoreUnavailable => {
                Broker::RedeliverWithBackoff
            }
            Self::Mismatch | Self::BadKey | Self::Unreadable => Broker::DeadLetter,
        }
    }

    /// The problem to describe; `None` where the answer is a result or the handler's own.
    #[must_use]
    pub const fn problem(self) -> Option<Problem> {
        macro_rules! problem {
            ($name:literal, $title:literal) => {
                Some(Problem {
                    uri: concat!("tag:idem-rs,2026:problems/", $name),
                    title: $title,
                })
            };
        }
        match self {
            Self::Fresh
            | Self::Replay
            | Self::Tombstone
            | Self::Stale
            | Self::Failed
            | Self::Refused { .. } => None,
            Self::Busy { .. } => problem!("busy", "The operation is in progress"),
            Self::Mismatch => problem!("mismatch", "The key belongs to another request"),
            Self::Exhausted => problem!("exhausted", "Every attempt failed; a person decides"),
            Self::Ambiguous => problem!(
                "ambiguous",
                "Nobody knows whether an effect happened; a person decides"
            ),
            Self::BadKey => problem!("bad-key", "The request does not identify its operation"),
            Self::Fenced => problem!(
                "fenced",
                "The claim was lost; nothing of this attempt remains"
            ),
            Self::Unanswered => problem!(
                "unanswered",
                "A provider gave no answer in time; a retry asks it about the same call"
            ),
            Self::StoreUnavailable => problem!("unavailable", "The bookkeeping could not be asked"),
            Self::Unreadable => problem!(
                "unreadable",
                "The stored record cannot be read; a person decides"
            ),
        }
    }
}

/// Whole seconds for `Retry-After`: rounded up, at least one, so that nobody comes back early.
#[must_use]
pub const fn retry_after_seconds(left: Duration) -> u64 {
    let whole = left.as_secs();
    let seconds = if left.subsec_nanos() > 0 {
        whole.saturating_add(1)
    } else {
        whole
    };
    if seconds == 0 { 1 } else { seconds }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Verdict; 16] = [
        Verdict::Fresh,
        Verdict::Replay,
        Verdict::Tombstone,
        Verdict::Stale,
        Verdict::Busy {
            retry_after: Duration::from_secs(2),
        },
        Verdict::Mismatch,
        Verdict::Exhausted,
        Verdict::Ambiguous,
        Verdict::Failed,
        Verdict::Refused { replayed: false },
        Verdict::Refused { replayed: true },
        Verdict::BadKey,
        Verdict::Fenced,
        Verdict::Unanswered,
        Verdict::StoreUnavailable,
        Verdict::Unreadable,
    ];

    #[test]
    fn whoever_is_told_when_to_come_back_gets_his_message_again() {
        for verdict in ALL {
            let invited = verdict.retry_after().is_some();
            let redelivered = matches!(
                verdict.broker(),
                Broker::RedeliverAfter(_) | Broker::RedeliverWithBackoff
            );
            // A failed handler speaks for itself over HTTP; a broker cannot be answered.
            assert_eq!(
                invited,
                redelivered && verdict != Verdict::Failed,
                "{verdict:?}"
            );
        }
    }

    #[test]
    fn every_refusal_of_ours_is_a_problem_and_nothing_else_is() {
        for verdict in ALL {
            let refused = verdict.status().is_some_and(|status| status >= 400);
            assert_eq!(verdict.problem().is_some(), refused, "{verdict:?}");
        }
    }

    #[test]
    fn nothing_that_a_person_decides_is_redelivered() {
        for verdict in [Verdict::Ambiguous, Verdict::Exhausted, Verdict::Unreadable] {
            assert_eq!(verdict.retry_after(), None);
            assert!(!matches!(
                verdict.broker(),
                Broker::RedeliverAfter(_) | Broker::RedeliverWithBackoff
            ));
        }
    }
}
