//! The operator's statements, the same for every SQL store: each store says only how it asks.

use std::future::Future;
use std::time::{Duration, SystemTime};

use super::fields::Fields;
use super::statement::{Statement, Value};
use crate::claim::{ResultKind, Status};
use crate::desk::{
    Act, Addressee, Change, Entry, Filter, KeptResult, Letter, LetterKind, Settlement, Workflows,
};
use crate::store::{Request, Store};
use crate::{StoreError, Workflow};

/// How often a transaction that lost against a concurrent one is run again: it has one purpose, and
/// finds out anew whether somebody else has served it.
const ROUNDS: u32 = 3;

/// One database's texts of the statements.
pub(in crate::store) struct Texts {
    pub(in crate::store) noted: &'static str,
    pub(in crate::store) note: &'static str,
    pub(in crate::store) promote: &'static str,
    pub(in crate::store) unnoted: &'static str,
    pub(in crate::store) list: &'static str,
    pub(in crate::store) list_dead: &'static str,
    pub(in crate::store) letters: &'static str,
    pub(in crate::store) settlements: &'static str,
    pub(in crate::store) resolve: &'static str,
    pub(in crate::store) retry: &'static str,
    pub(in crate::store) forget: &'static str,
    pub(in crate::store) settle_letters: &'static str,
    pub(in crate::store) audit: &'static str,
}

/// An open transaction that may write.
pub(in crate::store) trait Asked: Sized + Send {
    /// Runs a statement, and returns its rows.
    fn rows(
        &mut self,
        statement: Statement<'_>,
    ) -> impl Future<Output = Result<Vec<Fields>, StoreError>> + Send;

    /// Commits.
    fn done(self) -> impl Future<Output = Result<(), StoreError>> + Send;
}

/// How a store asks.
pub(in crate::store) trait Asks: Store {
    type Asked: Asked;
    const TEXTS: Texts;

    /// Begins a transaction that may write. Dropping it rolls back.
    fn asking(&self) -> impl Future<Output = Result<Self::Asked, StoreError>> + Send;

    /// Reads by one statement outside a transaction.
    fn look(
        &self,
        statement: Statement<'_>,
    ) -> impl Future<Output = Result<Vec<Fields>, StoreError>> + Send;
}

/// Writes the dead letter of the request's key, or of that under which a previous recipe began, when
/// only a person can decide about it and there is none yet.
pub(in crate::store) async fn note<S: Asks>(
    store: &S,
    request: &Request,
) -> Result<Option<Letter>, StoreError> {
    let previous = request.previous_keys().iter().map(|known| known.key());
    for key in std::iter::once(request.key()).chain(previous) {
        let letter = note_key(store, key.as_str(), request.workflow()).await?;
        if letter.is_some() {
            return Ok(letter);
        }
    }
    Ok(None)
}

async fn note_key<S: Asks>(
    store: &S,
    key: &str,
    workflow: &Workflow,
) -> Result<Option<Letter>, StoreError> {
    if !store.look(of(S::TEXTS.noted, key)).await?.is_empty() {
        return Ok(None);
    }
    let attempts = Some(workflow.attempts());
    let to = Addressee::of(workflow);
    let mut rounds = ROUNDS;
    loop {
        rounds -= 1;
        match note_once(store, key, attempts, &to).await {
            Err(error) if rounds > 0 && error.is_conflict() => {}
            noted => return noted,
        }
    }
}

async fn note_once<S: Asks>(
    store: &S,
    key: &str,
    attempts: Option<u32>,
    to: &Addressee,
) -> Result<Option<Letter>, StoreError> {
    let mut asked = store.asking().await?;
    asked.rows(promoting::<S>(Some(key), 1)).await?;
    let letter = write_letter::<S>(&mut asked, key, attempts, to).await?;
    asked.done().await?;
    Ok(letter)
}

/// Marks up to `batch` operations as ambiguous whose owner is gone in the middle of an effect, and
/// writes their dead letters, and those of ambiguous operations that have none.
pub(in crate::store) async fn promote<S: Asks>(
    store: &S,
    batch: u32,
    workflows: &Workflows,
) -> Result<Vec<Letter>, StoreError> {
    let unnoted = Statement {
        text: S::TEXTS.unnoted,
        values: vec![Value::Number(i64::from(batch))],
    };
    if store.look(unnoted).await?.is_empty() {
        return Ok(Vec::new());
    }
    let mut rounds = ROUNDS;
    loop {
        rounds -= 1;
        match promote_once(store, batch, workflows).await {
            Err(error) if rounds > 0 && error.is_conflict() => {}
            promoted => return promoted,
        }
    }
}

async fn promote_once<S: Asks>(
    store: &S,
    batch: u32,
    workflows: &Workflows,
) -> Result<Vec<Letter>, StoreError> {
    let mut asked = store.asking().await?;
    asked.rows(promoting::<S>(None, batch)).await?;
    let unnoted = Statement {
        text: S::TEXTS.unnoted,
        values: vec![Value::Number(i64::from(batch))],
    };
    let nobody = Addressee::default();
    let mut letters = Vec::new();
    for mut case in asked.rows(unnoted).await? {
        let (key, workflow) = (case.text()?, case.text()?);
        let to = workflows.get(&workflow).unwrap_or(&nobody);
        letters.extend(write_letter::<S>(&mut asked, &key, None, to).await?);
    }
    asked.done().await?;
    Ok(letters)
}

fn promoting<'q, S: Asks>(key: Option<&'q str>, most: u32) -> Statement<'q> {
    Statement {
        text: S::TEXTS.promote,
        values: vec![Value::MaybeText(key), Value::Number(i64::from(most))],
    }
}

async fn write_letter<S: Asks>(
    asked: &mut S::Asked,
    key: &str,
    attempts: Option<u32>,
    to: &Addressee,
) -> Result<Option<Letter>, StoreError> {
    let note = Statement {
        text: S::TEXTS.note,
        values: vec![
            Value::Text(key),
            Value::MaybeNumber(attempts.map(i64::from)),
            Value::MaybeText(to.owner.as_deref()),
            Value::MaybeText(to.channel.as_deref()),
            Value::MaybeNumber(to.deadline.map(millis)),
            Value::MaybeNumber(to.window.map(millis)),
        ],
    };
    let written = asked.rows(note).await?.into_iter().next();
    written.map(|mut row| letter(key, &mut row)).transpose()
}

/// Reads operations.
pub(in crate::store) async fn list<S: Asks>(
    store: &S,
    filter: &Filter,
) -> Result<Vec<Entry>, StoreError> {
    let statement = Statement {
        text: if filter.dead {
            S::TEXTS.list_dead
        } else {
            S::TEXTS.list
        },
        values: vec![
            Value::MaybeText(filter.workflow.as_deref()),
            Value::MaybeText(filter.state.map(Status::as_str)),
            Value::MaybeText(filter.tenant.as_deref()),
            Value::MaybeNumber(filter.older_than.map(millis)),
            Value::MaybeText(filter.key.as_deref()),
            Value::Number(i64::from(filter.limit)),
        ],
    };
    let rows = store.look(statement).await?;
    rows.into_iter().map(|mut row| entry(&mut row)).collect()
}

/// Reads every dead letter of a key.
pub(in crate::store) async fn letters<S: Asks>(
    store: &S,
    key: &str,
) -> Result<Vec<Letter>, StoreError> {
    let rows = store.look(of(S::TEXTS.letters, key)).await?;
    rows.into_iter()
        .map(|mut row| {
            let mut letter = letter(key, &mut row)?;
            letter.settled_at = row.maybe_moment()?;
            Ok(letter)
        })
        .collect()
}

/// Reads who changed a key by hand.
pub(in crate::store) async fn settlements<S: Asks>(
    store: &S,
    key: &str,
) -> Result<Vec<Settlement>, StoreError> {
    let rows = store.look(of(S::TEXTS.settlements, key)).await?;
    rows.into_iter()
        .map(|mut row| {
            Ok(Settlement {
                at: row.moment()?,
                by: row.text()?,
                act: row.word(Act::from_stored)?,
                old: row.word(Status::from_stored)?,
                new: row.maybe_word(Status::from_stored)?,
                fence: row.fence()?,
                attempt: row.count()?,
                note: row.text()?,
            })
        })
        .collect()
}

/// Changes an operation that is still as it was seen.
pub(in crate::store) async fn change<S: Asks>(
    store: &S,
    seen: &Entry,
    change: &Change<'_>,
    by: &str,
    note: &str,
) -> Result<bool, StoreError> {
    let mut asked = store.asking().await?;
    if asked.rows(changing::<S>(seen, change)).await?.is_empty() {
        return Ok(false);
    }
    let key = seen.key.as_str();
    asked.rows(of(S::TEXTS.settle_letters, key)).await?;
    let audit = Statement {
        text: S::TEXTS.audit,
        values: vec![
            Value::Text(key),
            Value::Text(by),
            Value::Text(change.act().as_str()),
            Value::Text(seen.status.as_str()),
            Value::MaybeText(change.status(seen.status).map(Status::as_str)),
            Value::Number(seen.fence.to_stored()),
            Value::Number(i64::from(seen.attempt)),
            Value::Text(note),
        ],
    };
    asked.rows(audit).await?;
    asked.done().await?;
    Ok(true)
}

fn changing<'q, S: Asks>(seen: &'q Entry, change: &'q Change<'q>) -> Statement<'q> {
    let mut statement = Statement {
        text: match change {
            Change::Done(_) | Change::Failed => S::TEXTS.resolve,
            Change::Retry => S::TEXTS.retry,
            Change::Forget => S::TEXTS.forget,
        },
        values: vec![
            Value::Text(&seen.key),
            Value::Number(seen.fence.to_stored()),
            Value::Text(seen.status.as_str()),
            Value::Number(i64::from(seen.attempt)),
            Value::Number(since_1970(seen.claimed_at)),
        ],
    };
    if let (Change::Done(_) | Change::Failed, Some(status)) = (change, change.status(seen.status)) {
        let result = change.result();
        statement.values.extend([
            Value::Text(status.as_str()),
            Value::MaybeText(result.map(|(kind, ..)| kind.as_str())),
            Value::MaybeBytes(result.and_then(|(_, bytes, _)| bytes)),
            Value::MaybeNumber(result.map(|(.., version)| i64::from(version))),
        ]);
    }
    statement
}

fn of<'q>(text: &'static str, key: &'q str) -> Statement<'q> {
    Statement {
        text,
        values: vec![Value::Text(key)],
    }
}

fn letter(key: &str, row: &mut Fields) -> Result<Letter, StoreError> {
    Ok(Letter {
        key: key.to_owned(),
        workflow: row.text()?,
        tenant: row.maybe_text()?,
        kind: row.word(LetterKind::from_stored)?,
        attempt: row.count()?,
        fence: row.fence()?,
        known: row.text()?,
        owner: row.maybe_text()?,
        channel: row.maybe_text()?,
        deadline: row.maybe_span()?,
        since: row.moment()?,
        settled_at: None,
    })
}

fn entry(row: &mut Fields) -> Result<Entry, StoreError> {
    let mut entry = Entry {
        key: row.text()?,
        workflow: row.text()?,
        tenant: row.maybe_text()?,
        status: row.word(Status::from_stored)?,
        attempt: row.count()?,
        fence: row.fence()?,
        claimed_at: row.moment()?,
        lease_left: row.maybe_span()?.filter(|left| !left.is_zero()),
        completed_at: row.maybe_moment()?,
        expires_at: row.maybe_moment()?,
        expired: row.number()? != 0,
        begun_effect: row.maybe_text()?,
        ambiguous_reason: row.maybe_text()?,
        result: None,
        letter: None,
    };
    let result = row.maybe_word(ResultKind::from_stored)?;
    let (version, bytes) = (row.maybe_number()?, row.maybe_number()?);
    entry.result = result.map(|kind| KeptResult {
        kind,
        version: version
            .and_then(|number| u32::try_from(number).ok())
            .unwrap_or(0),
        bytes: bytes.map_or(0, i64::unsigned_abs),
    });
    if let Some(kind) = row.maybe_word(LetterKind::from_stored)? {
        entry.letter = Some(Letter {
            key: entry.key.clone(),
            workflow: entry.workflow.clone(),
            tenant: entry.tenant.clone(),
            kind,
            attempt: row.count()?,
            fence: entry.fence,
            known: row.text()?,
            owner: row.maybe_text()?,
            channel: row.maybe_text()?,
            deadline: row.maybe_span()?,
            since: row.moment()?,
            settled_at: None,
        });
    }
    Ok(entry)
}

/// Whole milliseconds, as a signed 64-bit parameter takes them.
fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 2)
}

fn since_1970(at: SystemTime) -> i64 {
    at.duration_since(SystemTime::UNIX_EPOCH).map_or(0, millis)
}
