//! What one delivery came to, in a form that crosses from a child process to its parent.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::report::chain;
use crate::edge::Verdict;
use crate::{Error, Outcome};

/// What one delivery came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The outcome or error, without its values.
    pub verdict: Verdict,
    /// The result's encoding, where there was one.
    pub bytes: Option<Vec<u8>>,
    /// What an error said.
    pub note: String,
}

impl Seen {
    /// What a wrapped handler's result comes to.
    #[must_use]
    pub fn of<R, E: fmt::Debug>(result: &Result<Outcome<R>, Error<E>>) -> Self {
        let bytes = result
            .as_ref()
            .ok()
            .and_then(Outcome::answer)
            .map(|answer| answer.bytes().to_vec());
        let note = match result {
            Ok(Outcome::Mismatch { fields }) => fields.join(", "),
            Ok(Outcome::Ambiguous { reason }) => reason.clone(),
            Ok(_) => String::new(),
            Err(Error::Failed(error) | Error::Unknown(error) | Error::Refused { error, .. }) => {
                format!("{error:?}")
            }
            Err(Error::Fenced) => String::new(),
            Err(Error::Unanswered { effect }) => (*effect).to_owned(),
            Err(Error::Key(error)) => chain(error),
            Err(Error::Store(error)) => chain(error),
            Err(Error::Stored(error)) => chain(error),
        };
        Self {
            verdict: Verdict::of(result),
            bytes,
            note,
        }
    }

    /// An event that is not even an event: its bytes do not decode.
    #[must_use]
    pub fn unreadable(error: &(dyn std::error::Error + 'static)) -> Self {
        Self {
            verdict: Verdict::BadKey,
            bytes: None,
            note: format!("the event does not decode: {}", chain(error)),
        }
    }

    /// As one line of text.
    pub(super) fn to_line(&self) -> String {
        let left = self.verdict.retry_after().unwrap_or_default();
        let retry_after_ms = left.as_millis().try_into().unwrap_or(u64::MAX);
        let line = Line {
            verdict: self.verdict.name().to_owned(),
            replayed: self.verdict.is_replay(),
            retry_after_ms,
            bytes: self.bytes.clone(),
            note: self.note.clone(),
        };
        // Texts, numbers and bytes always have JSON.
        serde_json::to_string(&line).unwrap_or_default()
    }

    pub(super) fn from_line(line: &str) -> Option<Self> {
        let line: Line = serde_json::from_str(line).ok()?;
        let verdicts = [
            Verdict::Fresh,
            Verdict::Replay,
            Verdict::Tombstone,
            Verdict::Stale,
            Verdict::Busy {
                retry_after: Duration::from_millis(line.retry_after_ms),
            },
            Verdict::Mismatch,
            Verdict::Exhausted,
            Verdict::Ambiguous,
            Verdict::Failed,
            Verdict::Refused {
                replayed: line.replayed,
            },
            Verdict::BadKey,
            Verdict::Fenced,
            Verdict::StoreUnavailable,
            Verdict::Unreadable,
        ];
        Some(Self {
            verdict: *verdicts
                .iter()
                .find(|verdict| verdict.name() == line.verdict)?,
            bytes: line.bytes,
            note: line.note,
        })
    }
}

#[derive(Serialize, Deserialize)]
struct Line {
    verdict: String,
    replayed: bool,
    retry_after_ms: u64,
    bytes: Option<Vec<u8>>,
    note: String,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.verdict.name())?;
        if let Some(bytes) = &self.bytes {
            write!(f, " {}", String::from_utf8_lossy(bytes))?;
        }
        if !self.note.is_empty() {
            write!(f, " ({})", self.note)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_child_saw_reaches_its_parent_unchanged() {
        let seen = |verdict, bytes: Option<&[u8]>, note: &str| Seen {
            verdict,
            bytes: bytes.map(<[u8]>::to_vec),
            note: note.to_owned(),
        };
        let retry_after = Duration::from_millis(1500);
        for seen in [
            seen(Verdict::Fresh, Some(b"{\"a\":\"\xc3\xa9\"}"), ""),
            seen(Verdict::Replay, Some(&[0, 255, 10]), ""),
            seen(Verdict::Busy { retry_after }, None, ""),
            seen(Verdict::Refused { replayed: true }, None, "not paid"),
            seen(Verdict::Refused { replayed: false }, None, "two\nlines"),
            seen(Verdict::Fenced, None, ""),
        ] {
            let line = seen.to_line();
            assert!(!line.contains('\n'), "{line}");
            assert_eq!(Seen::from_line(&line), Some(seen));
        }
        assert_eq!(Seen::from_line("{}"), None);
    }
}
