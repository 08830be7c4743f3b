//! What an operator sees of the reference store.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::{Kept, MemoryStore, Shared};
use crate::claim::{Status, StoredResult};
use crate::desk::{
    Addressee, Change, DeadLetter, Desk, Entry, Filter, Hooks, KeptResult, Letter, LetterKind,
    Settlement, Workflows,
};
use crate::store::Request;
use crate::{Key, StoreError};

/// Dead letters and settlements, in the order of their writing.
#[derive(Default)]
pub(super) struct Filed {
    letters: Vec<FiledLetter>,
    settlements: Vec<(String, Settlement)>,
}

struct FiledLetter {
    letter: Letter,
    /// Together with key and fence, the case: after a sweep, fences begin anew.
    claimed_at: SystemTime,
    window: Option<Duration>,
}

impl Filed {
    fn of(&self, key: &Key, kept: &Kept) -> Option<&FiledLetter> {
        self.letters.iter().find(|filed| {
            filed.letter.key == key.as_str()
                && filed.letter.fence == kept.row.fence
                && filed.claimed_at == kept.claimed_at
        })
    }
}

impl Shared {
    /// Files the letter of a row that only a person goes on with, unless it is filed.
    fn file(
        &mut self,
        key: &Key,
        kind: LetterKind,
        known: String,
        to: &Addressee,
    ) -> Option<Letter> {
        let since = self.now();
        let kept = self.rows.get_mut(key)?;
        if kind == LetterKind::Ambiguous && kept.row.status == Status::InFlight {
            kept.row.status = Status::Ambiguous;
            kept.row.ambiguous_reason = Some(known.clone());
        }
        if self.filed.of(key, kept).is_some() {
            return None;
        }
        let letter = Letter {
            key: key.as_str().to_owned(),
            workflow: kept.row.workflow.clone(),
            tenant: kept.tenant.clone(),
            kind,
            known,
            since,
            attempt: kept.row.attempt,
            fence: kept.row.fence,
            owner: to.owner.clone(),
            channel: to.channel.clone(),
            deadline: to.deadline,
            settled_at: None,
        };
        self.filed.letters.push(FiledLetter {
            letter: letter.clone(),
            claimed_at: kept.claimed_at,
            window: to.window,
        });
        Some(letter)
    }

    /// What is known of a row that is ambiguous, or is from now on.
    fn ambiguity(&self, key: &Key) -> Option<String> {
        let row = self.judged(key)?;
        match row.status {
            Status::Ambiguous => row.ambiguous_reason,
            Status::InFlight if row.lease_left.is_none() => row.begun_effect.map(|effect| {
                format!(
                    "`{effect}` had begun when the lease ran out, and whether it happened is \
                         not recorded"
                )
            }),
            Status::InFlight | Status::Done | Status::Failed => None,
        }
    }

    /// What is known of a row whose attempts are used up.
    fn exhaustion(&self, key: &Key, attempts: u32) -> Option<&'static str> {
        let row = self.judged(key).filter(|row| row.attempt >= attempts)?;
        match row.status {
            Status::Failed if !row.expired => {
                Some("the last attempt failed and left nothing behind")
            }
            Status::InFlight if row.lease_left.is_none() => {
                Some("the lease of the last attempt ran out, and no effect outside had begun")
            }
            Status::InFlight | Status::Done | Status::Failed | Status::Ambiguous => None,
        }
    }

    fn entry(&self, key: &Key, kept: &Kept) -> Option<Entry> {
        let row = self.judged(key)?;
        let filed = self.filed.of(key, kept).map(|filed| filed.letter.clone());
        let done = row.result.as_ref();
        Some(Entry {
            key: key.as_str().to_owned(),
            workflow: row.workflow,
            tenant: kept.tenant.clone(),
            status: row.status,
            attempt: row.attempt,
            fence: row.fence,
            claimed_at: kept.claimed_at,
            lease_left: row.lease_left,
            completed_at: done.map(|result| result.completed_at),
            expires_at: kept
                .expires_at
                .filter(|_| matches!(row.status, Status::Done | Status::Failed)),
            expired: row.expired,
            begun_effect: row.begun_effect,
            ambiguous_reason: row.ambiguous_reason,
            result: done.map(|result| KeptResult {
                kind: result.kind,
                version: result.version,
                bytes: result.bytes.len() as u64,
            }),
            letter: filed.filter(|letter| letter.settled_at.is_none()),
        })
    }

    fn change(&mut self, seen: &Entry, change: &Change<'_>) -> bool {
        let now = self.now();
        let Some((key, found)) = self.rows.iter().find_map(|(key, kept)| {
            (key.as_str() == seen.key).then(|| (key.clone(), self.entry(key, kept)))
        }) else {
            return false;
        };
        let same = found.is_some_and(|found| {
            (found.fence, found.status, found.attempt, found.claimed_at)
                == (seen.fence, seen.status, seen.attempt, seen.claimed_at)
                && !found.is_at_work()
        });
        if !same {
            return false;
        }
        let Some(kept) = self.rows.get_mut(&key) else {
            return false;
        };
        let window = self.filed.of(&key, kept).and_then(|filed| filed.window);
        kept.row.fence = kept.row.fence.next();
        match change {
            Change::Retry => kept.row.attempt = kept.row.attempt.saturating_sub(1),
            Change::Done(_) | Change::Failed | Change::Forget => {
                kept.row.status = change.status(seen.status).unwrap_or(Status::Failed);
                kept.row.ambiguous_reason = None;
                kept.row.result = change.result().map(|(kind, bytes, version)| StoredResult {
                    kind,
                    bytes: bytes.unwrap_or_default().to_vec(),
                    version,
                    completed_at: now,
                });
                kept.effects.retain(super::KeptEffect::is_recorded);
                kept.expires_at = match change {
                    Change::Forget => Some(now),
                    Change::Done(_) | Change::Failed | Change::Retry => {
                        window.map(|window| now + window)
                    }
                };
            }
        }
        true
    }
}

impl MemoryStore {
    /// The same store, telling this hook about each case for a person.
    #[must_use]
    pub fn dead_letters_to(mut self, hook: Arc<dyn DeadLetter>) -> Self {
        self.hooks = self.hooks.with(hook);
        self
    }
}

impl Desk for MemoryStore {
    async fn note(&self, request: &Request) -> Result<Option<Letter>, StoreError> {
        let mut shared = self.lock();
        let to = Addressee::of(request.workflow());
        let previous = request.previous_keys().iter().map(|known| known.key());
        Ok(std::iter::once(request.key())
            .chain(previous)
            .find_map(|key| {
                if let Some(known) = shared.ambiguity(key) {
                    return shared.file(key, LetterKind::Ambiguous, known, &to);
                }
                let known = shared.exhaustion(key, request.workflow().attempts())?;
                shared.file(key, LetterKind::Exhausted, known.to_owned(), &to)
            }))
    }

    async fn promote(&self, batch: u32, workflows: &Workflows) -> Result<Vec<Letter>, StoreError> {
        let mut shared = self.lock();
        let cases: Vec<(Key, String, String)> = shared
            .rows
            .iter()
            .filter(|(key, kept)| shared.filed.of(key, kept).is_none())
            .filter_map(|(key, kept)| {
                let known = shared.ambiguity(key)?;
                Some((key.clone(), kept.row.workflow.clone(), known))
            })
            .take(batch as usize)
            .collect();
        let nobody = Addressee::default();
        Ok(cases
            .into_iter()
            .filter_map(|(key, workflow, known)| {
                let to = workflows.get(&workflow).unwrap_or(&nobody);
                shared.file(&key, LetterKind::Ambiguous, known, to)
            })
            .collect())
    }

    fn hooks(&self) -> &Hooks {
        &self.hooks
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Entry>, StoreError> {
        let shared = self.lock();
        let now = shared.now();
        let old = |at: SystemTime| {
            let age = now.duration_since(at).unwrap_or_default();
            filter.older_than.is_none_or(|least| age >= least)
        };
        let any = |wanted: &Option<String>, own: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| own == Some(wanted))
        };
        let mut entries: Vec<Entry> = shared
            .rows
            .iter()
            .filter_map(|(key, kept)| shared.entry(key, kept))
            .filter(|entry| {
                let since = match (&entry.letter, filter.dead) {
                    (None, true) => return false,
                    (Some(letter), true) => letter.since,
                    (_, false) => entry.claimed_at,
                };
                any(&filter.workflow, Some(&entry.workflow))
                    && any(&filter.tenant, entry.tenant.as_deref())
                    && any(&filter.key, Some(&entry.key))
                    && filter.state.is_none_or(|state| state == entry.status)
                    && old(since)
            })
            .collect();
        entries.sort_by(|one, other| {
            let since = |entry: &Entry| {
                let letter = entry.letter.as_ref().filter(|_| filter.dead);
                letter.map(|letter| letter.since)
            };
            (since(one), &one.key).cmp(&(since(other), &other.key))
        });
        entries.truncate(filter.limit as usize);
        Ok(entries)
    }

    async fn letters(&self, key: &str) -> Result<Vec<Letter>, StoreError> {
        let shared = self.lock();
        let letters = shared.filed.letters.iter().map(|filed| &filed.letter);
        Ok(letters
            .filter(|letter| letter.key == key)
            .cloned()
            .collect())
    }

    async fn settlements(&self, key: &str) -> Result<Vec<Settlement>, StoreError> {
        let shared = self.lock();
        let settlements = shared.filed.settlements.iter();
        Ok(settlements
            .filter(|(own, _)| own == key)
            .map(|(_, settlement)| settlement.clone())
            .collect())
    }

    async fn change(
        &self,
        seen: &Entry,
        change: &Change<'_>,
        by: &str,
        note: &str,
    ) -> Result<bool, StoreError> {
        let mut shared = self.lock();
        if !shared.change(seen, change) {
            return Ok(false);
        }
        let at = shared.now();
        for filed in &mut shared.filed.letters {
            if filed.letter.key == seen.key {
                filed.letter.settled_at.get_or_insert(at);
            }
        }
        let settlement = Settlement {
            at,
            by: by.to_owned(),
            act: change.act(),
            old: seen.status,
            new: change.status(seen.status),
            fence: seen.fence,
            attempt: seen.attempt,
            note: note.to_owned(),
        };
        shared
            .filed
            .settlements
            .push((seen.key.clone(), settlement));
        Ok(true)
    }
}
