//! The drill: what a contract promises, tried on the handler that was built for it.
//!
//! A drill delivers synthetic events to a [`Subject`] on a scratch database, kills real processes
//! in the middle of their work, and compares what the business tables hold afterwards with what
//! one single delivery leaves. `idem generate drill` writes a test file like this one:
//!
//! ```no_run
//! use idem::drill::{Child, Drill, Events, Seen, Subject, Trouble};
//! use idem::SqliteStore;
//! # mod shop {
//! #     #[derive(serde::Deserialize)] pub struct Refund;
//! #     pub async fn refund(_: &idem::SqliteStore, _: &Refund) -> Result<idem::Outcome<u32>, idem::Error<std::convert::Infallible>> { Err(idem::Error::Fenced) }
//! # }
//!
//! #[derive(Clone)]
//! struct Refunds;
//!
//! impl Subject for Refunds {
//!     type Store = SqliteStore;
//!
//!     async fn prepare(&self, store: &SqliteStore) -> Result<(), Trouble> {
//!         sqlx::query("create table refunds (refund_id text, amount integer)")
//!             .execute(store.pool())
//!             .await?;
//!         Ok(())
//!     }
//!
//!     async fn deliver(&self, store: &SqliteStore, event: &[u8]) -> Seen {
//!         match serde_json::from_slice::<shop::Refund>(event) {
//!             Ok(event) => Seen::of(&shop::refund(store, &event).await),
//!             Err(error) => Seen::unreadable(&error),
//!         }
//!     }
//!
//!     async fn state(&self, store: &SqliteStore) -> Result<String, Trouble> {
//!         idem::drill::rows(store, "refunds", &[]).await
//!     }
//!
//!     fn events(&self) -> Result<Events, Trouble> {
//!         Events::of(r#"{"refund_id": "r_1", "amount": 1250}"#)?
//!             .other_body("amount", "1300")?
//!             .must_differ("refund_id", r#""r_2""#)
//!     }
//! }
//!
//! #[test]
//! fn the_drill_passes() {
//!     let report = Drill::of(Refunds)
//!         .child(Child::test(concat!(module_path!(), "::the_process_that_is_killed")))
//!         .run();
//!     assert!(report.passed(), "{report}");
//! }
//!
//! /// Does nothing unless a drill started this process.
//! #[test]
//! fn the_process_that_is_killed() {
//!     idem::drill::child(&Refunds);
//! }
//! ```
//!
//! Leases and windows are ended by changing rows, not by waiting.

mod arena;
mod child;
mod events;
mod kind;
mod process;
mod report;
mod scenario;
mod scratch;
mod seen;
mod store;
mod subject;
mod twins;

use std::sync::Mutex;
use std::time::Duration;

pub use self::child::{Child, child, child_of, child_url};
pub use self::events::Events;
pub use self::kind::Kind;
pub use self::report::{Check, DrillReport, Report, Standing};
pub use self::scratch::{Field, Scratch};
pub use self::seen::Seen;
pub use self::store::{Age, Aged, DrillStore, Record, Statements, rows};
pub use self::subject::{Subject, Trouble};
pub use self::twins::{Twin, TwinReport, TwinSubject, twins};

use self::scenario::Scene;

/// How long a process may take to reach a point or an answer before the drill gives it up. Nothing
/// in a drill takes a second; a minute tells a hang from a slow machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Drills of one process run one after another: they share the database server, and where a store
/// takes locks by key, the keys of their events.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Whether a drill can be played at that address: makes a scratch database there, connects to it,
/// and removes it.
///
/// **Errors**: the server is out of reach, or does not let us make anything.
pub fn reach<S: DrillStore>(url: Option<&str>) -> Result<(), Trouble> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let url = S::scratch(url).await?;
        let connected = S::connect(&url, None).await.map(drop);
        S::discard(&url).await?;
        connected
    })
}

/// A subject, where to drill it, and how to start its child processes.
#[derive(Clone, Debug)]
pub struct Drill<S> {
    subject: S,
    url: Option<String>,
    child: Option<Child>,
}

impl<S: Subject> Drill<S> {
    /// A drill of that subject, on a scratch database of the store's own choosing.
    #[must_use]
    pub const fn of(subject: S) -> Self {
        Self {
            subject,
            url: None,
            child: None,
        }
    }

    /// Drills on that database server or file. Tables are made in a scratch schema, or in a scratch
    /// file beside it, and removed afterwards.
    #[must_use]
    pub fn at(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }

    /// How to start a process of this program that calls [`child()`](child()). Without it, drills that kill
    /// are reported as not run.
    #[must_use]
    pub fn child(mut self, child: Child) -> Self {
        self.child = Some(child);
        self
    }

    /// Runs every drill; the one of changed key recipes where the subject
    /// [has any](Subject::overlaps).
    ///
    /// **Panics**: never; whatever goes wrong is in the report, and fails it.
    #[must_use]
    pub fn run(&self) -> Report {
        let applies = |kind: &Kind| *kind != Kind::OldRecipe || self.subject.overlaps();
        let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(applies).collect();
        self.run_only(&kinds)
    }

    /// Runs these drills.
    #[must_use]
    pub fn run_only(&self, kinds: &[Kind]) -> Report {
        // A drill that panicked left nothing behind in this lock.
        let _one = ONE_AT_A_TIME
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(4)
            .enable_all()
            .build();
        match runtime {
            Ok(runtime) => runtime.block_on(self.run_all(kinds)),
            Err(error) => {
                let trouble: Trouble = error.into();
                let broken = |kind: &Kind| DrillReport::broken(*kind, Vec::new(), &*trouble);
                Report {
                    drills: kinds.iter().map(broken).collect(),
                }
            }
        }
    }

    async fn run_all(&self, kinds: &[Kind]) -> Report {
        let mut drills = Vec::with_capacity(kinds.len());
        for kind in kinds {
            drills.push(self.run_one(*kind).await);
        }
        Report { drills }
    }

    async fn run_one(&self, kind: Kind) -> DrillReport {
        let mut scene = Scene::new(self);
        let done = scenario::play(kind, &mut scene).await;
        scene.clear().await;
        match done {
            Ok(None) => DrillReport::of(kind, scene.into_checks()),
            Ok(Some(why_not)) => DrillReport::not_run(kind, why_not),
            Err(trouble) => DrillReport::broken(kind, scene.into_checks(), &*trouble),
        }
    }
}
