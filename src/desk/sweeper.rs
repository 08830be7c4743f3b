//! Cleaning up beside the work: rows past their window, and cases that nobody delivers again.

use std::future::Future;
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use super::{Desk, Workflows, announce};
use crate::store::unbroken::unbroken;
use crate::{StoreError, Workflow, observe};

/// How often cases are looked for: within seconds, a person is told about an operation whose owner died
/// in the middle of an effect. Where there are none, looking reads two small indexes.
const LOOK: Duration = Duration::from_secs(5);

/// The rest between two batches. A sweep without any halves the claims beside it; one with it leaves
/// them nine tenths and still deletes tens of thousands of rows a second.
const PAUSE: Duration = Duration::from_millis(20);

/// How many cases are promoted in one transaction.
const CASES: u32 = 100;

/// Deletes finished rows past their window, and finds operations whose owner died in the middle of an
/// effect, in the background.
///
/// Each batch is a transaction of its own that skips locked rows, with a rest in between: no claim
/// waits. Several may run at once, in one process or in many.
///
/// Unless told otherwise it goes by the `[cleanup]` of the workflows that this process has had
/// deliveries of: the shortest `every`, the smallest `batch`. Without any, a minute and 1,000 rows.
///
/// ```
/// # async fn start(store: idem::MemoryStore) {
/// use idem::desk::Sweeper;
///
/// let sweeping = Sweeper::new(store).start();
/// // … serve; it stops when `sweeping` is dropped.
/// # drop(sweeping);
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Sweeper<S> {
    store: S,
    every: Option<Duration>,
    batch: Option<u32>,
    pause: Duration,
    workflows: Workflows,
}

/// What one round came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Rows deleted.
    pub rows: u64,
    /// Batches it took.
    pub batches: u64,
}

/// A sweeper at work. Dropping it stops it; a batch under way is finished or rolled back by the store.
#[derive(Debug)]
#[must_use = "the sweeper stops when this is dropped"]
pub struct Sweeping {
    tasks: [JoinHandle<()>; 2],
}

impl Drop for Sweeping {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl<S: Desk> Sweeper<S> {
    /// A sweeper of that store.
    #[must_use]
    pub fn new(store: S) -> Self {
        Self {
            store,
            every: None,
            batch: None,
            pause: PAUSE,
            workflows: Workflows::new(),
        }
    }

    /// Rests that long when nothing is left to delete.
    #[must_use]
    pub const fn every(mut self, every: Duration) -> Self {
        self.every = Some(every);
        self
    }

    /// Deletes at most that many rows in one transaction.
    #[must_use]
    pub const fn batch(mut self, rows: u32) -> Self {
        self.batch = Some(rows);
        self
    }

    /// Rests that long between two batches: 20 ms unless told otherwise. Zero deletes as fast as the
    /// store can, and slows claims.
    #[must_use]
    pub const fn pause(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    /// Knows whom this workflow's cases concern, and its `[cleanup]`, before its first delivery.
    #[must_use]
    pub fn workflow(self, workflow: &Workflow) -> Self {
        let workflows = Workflows::new().with(workflow);
        self.workflows(workflows)
    }

    /// The same of several.
    #[must_use]
    pub fn workflows(mut self, workflows: Workflows) -> Self {
        self.workflows = workflows.or(self.workflows);
        self
    }

    fn known(&self) -> Workflows {
        self.workflows.clone().or(Workflows::met())
    }

    /// Deletes what there is to delete, batch by batch, and tells after each how many rows that were
    /// so far.
    ///
    /// **Errors**: the store could not be asked; what was deleted before stays deleted.
    pub async fn sweep(&self, mut progress: impl FnMut(Swept) + Send) -> Result<Swept, StoreError> {
        let batch = self.batch.unwrap_or_else(|| self.known().batch());
        let mut swept = Swept::default();
        loop {
            let begun = Instant::now();
            let rows = self.store.sweep(batch).await?;
            observe::swept(rows, begun.elapsed());
            swept.rows += rows;
            swept.batches += 1;
            progress(swept);
            if rows < u64::from(batch) {
                return Ok(swept);
            }
            // With no pause, others on this thread still get their turn.
            if self.pause.is_zero() {
                tokio::task::yield_now().await;
            } else {
                tokio::time::sleep(self.pause).await;
            }
        }
    }

    /// Finds the cases that nobody delivered again, writes their dead letters and tells about them.
    /// Returns how many there were.
    ///
    /// **Errors**: the store could not be asked.
    ///
    /// **Cancel safety**: a case whose letter is written is told about, whoever hangs up.
    pub async fn promote(&self) -> Result<u64, StoreError> {
        let mut found = 0;
        loop {
            let (store, workflows) = (self.store.clone(), self.known());
            let looking = async move {
                let letters = store.promote(CASES, &workflows).await?;
                for letter in &letters {
                    announce(store.hooks(), letter);
                }
                Ok(letters.len() as u64)
            };
            let promoted = unbroken(looking, |_| std::future::ready(())).await?;
            found += promoted;
            if promoted < u64::from(CASES) {
                return Ok(found);
            }
        }
    }

    /// Starts it in the background.
    ///
    /// **Panics** outside a tokio runtime.
    pub fn start(self) -> Sweeping {
        let sweeper = self.clone();
        let sweeping = async move {
            loop {
                tokio::time::sleep(sweeper.every.unwrap_or_else(|| sweeper.known().every())).await;
                failing(sweeper.sweep(|_| ()).await, "sweeping");
            }
        };
        let looking = async move {
            loop {
                failing(self.promote().await, "looking for cases");
                tokio::time::sleep(LOOK).await;
            }
        };
        Sweeping {
            tasks: [spawned(sweeping), spawned(looking)],
        }
    }
}

fn spawned(work: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
    tokio::spawn(work)
}

/// A store that is away for a while is no reason to stop for good.
fn failing<T>(done: Result<T, StoreError>, doing: &'static str) {
    if let Err(error) = done {
        observe::sweep_failed(doing, &error);
    }
}
