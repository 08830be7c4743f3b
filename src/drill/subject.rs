//! What is drilled.

use std::error::Error as StdError;
use std::future::Future;
use std::time::Duration;

use super::events::Events;
use super::seen::Seen;
use super::store::{Age, Aged, DrillStore, Record};

/// Whatever went wrong around a drill: the report shows its text.
pub type Trouble = Box<dyn StdError + Send + Sync>;

/// A handler to be drilled, with the tables it writes.
pub trait Subject: Clone + Send + Sync + 'static {
    /// The store whose transactions the handler takes.
    type Store: DrillStore;

    /// Creates the business tables in an empty database. The bookkeeping is there already.
    fn prepare(&self, store: &Self::Store) -> impl Future<Output = Result<(), Trouble>> + Send;

    /// Delivers one event, rebuilt from its bytes as an edge would.
    fn deliver(&self, store: &Self::Store, event: &[u8]) -> impl Future<Output = Seen> + Send;

    /// What the business tables hold, as text. Two databases in which the same effects happened
    /// must give the same text: leave out times and generated numbers. [`rows`](super::rows) helps.
    fn state(&self, store: &Self::Store) -> impl Future<Output = Result<String, Trouble>> + Send;

    /// The events to deliver.
    ///
    /// **Errors**: as the builder of [`Events`] says.
    fn events(&self) -> Result<Events, Trouble>;

    /// The subject's name in a child process, where one program drills several.
    fn name(&self) -> String {
        String::new()
    }

    /// How many attempts an operation gets: with a single one, a takeover is refused as exhausted.
    fn attempts(&self) -> u32 {
        2
    }

    /// How long a loser waits for the winner's outcome before it is told that it is busy.
    fn waits(&self) -> Duration {
        Duration::ZERO
    }

    /// Whether the workflow has previous key recipes, under which its operations may be known too.
    fn overlaps(&self) -> bool {
        false
    }

    /// The bookkeeping's rows; for a subject that keeps its own.
    fn records(
        &self,
        store: &Self::Store,
    ) -> impl Future<Output = Result<Vec<Record>, Trouble>> + Send {
        store.records()
    }

    /// Changes the bookkeeping's rows to what time would make of them; for a subject that keeps
    /// its own.
    fn age(
        &self,
        store: &Self::Store,
        age: Age,
    ) -> impl Future<Output = Result<Aged, Trouble>> + Send {
        store.age(age)
    }
}
