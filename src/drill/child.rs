//! The child's side: a process that works on one delivery and stops where it is told.

use std::ffi::OsString;
use std::io::{BufRead as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::seen::Seen;
use super::store::DrillStore;
use super::subject::{Subject, Trouble};
use crate::{Observer, Point};

/// The variable that makes a process a drill's child; its value is the [`Job`].
pub(super) const JOB: &str = "IDEM_DRILL_CHILD";

/// What a child says begins with this, so that a test harness's own lines are told apart.
pub(super) const MARK: &str = "idem-drill: ";

/// How a process of this program is started that calls [`child()`].
#[derive(Clone, Debug)]
pub struct Child {
    pub(super) args: Vec<OsString>,
}

impl Child {
    /// By these arguments of the program that is running.
    #[must_use]
    pub fn args(args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self {
            args: args.into_iter().map(Into::into).collect(),
        }
    }

    /// By the test of that path in the test program that is running. The path may begin with the
    /// crate's name, as `concat!(module_path!(), "::name_of_the_test")` does.
    #[must_use]
    pub fn test(path: &str) -> Self {
        let name = path.split_once("::").map_or(path, |(_, name)| name);
        Self::args([name, "--exact", "--nocapture", "--test-threads=1"])
    }
}

/// What a child has to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Job {
    pub(super) url: String,
    pub(super) subject: String,
    pub(super) event: String,
    /// Where to stop, by name.
    pub(super) stop_at: Option<String>,
}

/// Where a child can be stopped.
pub(super) const POINTS: [(Point, &str); 4] = [
    (Point::Claimed, "claimed"),
    (Point::HandlerDone, "handler-done"),
    (Point::BeforeCommit, "before-commit"),
    (Point::AfterCommit, "after-commit"),
];

pub(super) fn name_of(point: Point) -> &'static str {
    POINTS
        .iter()
        .find(|(known, _)| *known == point)
        .map_or("nowhere", |(_, name)| name)
}

/// Does a drill's work when a drill started this process, and then ends the process; otherwise
/// returns at once.
pub fn child<S: Subject>(subject: &S) {
    child_of(|_| Some(subject.clone()));
}

/// The same where one program drills several subjects: `make` is given [`Subject::name`], and may
/// say that it knows none of that name.
pub fn child_of<S: Subject>(make: impl FnOnce(&str) -> Option<S>) {
    let Ok(job) = std::env::var(JOB) else {
        return;
    };
    let code = match work(&job, make) {
        Ok(seen) => {
            say(&format!("done {}", seen.to_line()));
            0
        }
        Err(trouble) => {
            say(&format!(
                "broken {}",
                super::report::chain(&*trouble).replace('\n', " ")
            ));
            2
        }
    };
    std::process::exit(code);
}

/// The address of the scratch database that a drill's child works on, where a drill started this
/// process: its scheme says which store it is.
#[must_use]
pub fn child_url() -> Option<String> {
    let job: Job = serde_json::from_str(&std::env::var(JOB).ok()?).ok()?;
    Some(job.url)
}

fn work<S: Subject>(job: &str, make: impl FnOnce(&str) -> Option<S>) -> Result<Seen, Trouble> {
    let job: Job = serde_json::from_str(job)?;
    let subject = make(&job.subject).ok_or("this program has no such subject")?;
    let stop: Option<Arc<dyn Observer>> = job.stop_at.map(|name| {
        let stop: Arc<dyn Observer> = Arc::new(Stop {
            point: name,
            stopped: Mutex::new(false),
        });
        stop
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let store = S::Store::connect(&job.url, stop).await?;
        Ok(subject.deliver(&store, job.event.as_bytes()).await)
    })
}

/// Says so when a point is reached, and waits there for a line, or for the end of its parent.
struct Stop {
    point: String,
    /// A handler that runs again after a conflict passes its points again.
    stopped: Mutex<bool>,
}

impl Observer for Stop {
    fn at(&self, point: Point) {
        if name_of(point) != self.point {
            return;
        }
        let first = !std::mem::replace(
            &mut *self.stopped.lock().unwrap_or_else(PoisonError::into_inner),
            true,
        );
        if first {
            say(&format!("reached {}", self.point));
            let mut line = String::new();
            if !matches!(std::io::stdin().lock().read_line(&mut line), Ok(read) if read > 0) {
                // The parent is gone, and nobody is left to tell anything.
                std::process::exit(3);
            }
        }
    }
}

fn say(what: &str) {
    let mut out = std::io::stdout().lock();
    // A parent that is gone reads nothing, and there is nobody else to tell.
    let _ = writeln!(out, "\n{MARK}{what}");
    let _ = out.flush();
}
