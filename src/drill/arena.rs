//! One scratch database, from nothing to a subject ready to be delivered to.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::seen::Seen;
use super::store::{Age, Aged, DrillStore, Record};
use super::subject::{Subject, Trouble};
use crate::edge::Verdict;
use crate::store::{Observer, Point, Request, Store as _};

/// How long a database may take to notice that the process behind a connection was killed.
const NOTICES_A_KILL: Duration = Duration::from_secs(20);

/// A scratch database with the bookkeeping's and the subject's tables in it, both empty.
pub(super) struct Arena<S: Subject> {
    pub(super) url: String,
    pub(super) store: S::Store,
    subject: S,
    asked: Arc<Asked>,
}

/// Remembers what was asked of the store last.
#[derive(Default)]
struct Asked(Mutex<Option<Request>>);

impl Observer for Asked {
    fn at(&self, _point: Point) {}

    fn asks(&self, request: &Request) {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *asked = Some(request.clone());
    }
}

impl<S: Subject> Arena<S> {
    /// Makes the tables in the scratch database at `url`.
    pub(super) async fn open(subject: &S, url: String) -> Result<Self, Trouble> {
        let asked = Arc::new(Asked::default());
        let observer: Arc<dyn Observer> = Arc::<Asked>::clone(&asked);
        let store = S::Store::connect(&url, Some(observer)).await?;
        store.migrate().await?;
        subject.prepare(&store).await?;
        Ok(Self {
            url,
            store,
            subject: subject.clone(),
            asked,
        })
    }

    /// The last request that was asked of the store.
    pub(super) fn asked(&self) -> Option<Request> {
        let asked = self.asked.0.lock().unwrap_or_else(PoisonError::into_inner);
        asked.clone()
    }

    pub(super) async fn deliver(&self, event: &[u8]) -> Seen {
        self.subject.deliver(&self.store, event).await
    }

    /// Delivers until something else than "busy" is the answer, with every lease over: a killed
    /// owner's transaction is open until the database notices.
    pub(super) async fn deliver_after_kill(&self, event: &[u8]) -> Result<Seen, Trouble> {
        let until = Instant::now() + NOTICES_A_KILL;
        loop {
            self.age(Age::EndLeases).await?;
            let seen = self.deliver(event).await;
            if !is_busy(&seen) || Instant::now() > until {
                return Ok(seen);
            }
            // No row can be aged here: the server finds out by itself that a client is dead.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Delivers from many workers at once, and says how long the slowest took.
    pub(super) async fn deliver_at_once(
        &self,
        workers: usize,
        event: &[u8],
    ) -> Result<(Vec<Seen>, Duration), Trouble> {
        let start = std::sync::Arc::new(tokio::sync::Barrier::new(workers));
        let mut running = tokio::task::JoinSet::new();
        for _ in 0..workers {
            let (subject, store) = (self.subject.clone(), self.store.clone());
            let (start, event) = (start.clone(), event.to_vec());
            running.spawn(async move {
                start.wait().await;
                let begun = Instant::now();
                let seen = subject.deliver(&store, &event).await;
                (seen, begun.elapsed())
            });
        }
        let mut all = Vec::with_capacity(workers);
        let mut slowest = Duration::ZERO;
        while let Some(joined) = running.join_next().await {
            let (seen, took) = joined?;
            slowest = slowest.max(took);
            all.push(seen);
        }
        Ok((all, slowest))
    }

    pub(super) async fn state(&self) -> Result<String, Trouble> {
        self.subject.state(&self.store).await
    }

    pub(super) async fn records(&self) -> Result<Vec<Record>, Trouble> {
        self.subject.records(&self.store).await
    }

    pub(super) async fn age(&self, age: Age) -> Result<Aged, Trouble> {
        self.subject.age(&self.store, age).await
    }
}

pub(super) fn is_busy(seen: &Seen) -> bool {
    matches!(seen.verdict, Verdict::Busy { .. })
}
