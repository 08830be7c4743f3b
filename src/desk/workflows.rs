//! Who is told about the cases of which workflow.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use crate::{Window, Workflow};

/// Who is told about a workflow's cases, and how long its settled operations are remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Addressee {
    /// The person or team.
    pub owner: Option<String>,
    /// Where they are told.
    pub channel: Option<String>,
    /// How long a case may wait.
    pub deadline: Option<Duration>,
    /// The workflow's window; `None` for ever.
    pub window: Option<Duration>,
    /// How often, and how many rows at a time, its contract wants finished rows removed.
    pub cleanup: Option<(Duration, u32)>,
}

/// How often finished rows are removed where no contract says.
const EVERY: Duration = Duration::from_secs(60);

/// How many at a time.
const BATCH: u32 = 1000;

/// Workflows by name, for whoever finds a case without a delivery: a sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workflows(BTreeMap<String, Addressee>);

impl Workflows {
    /// No workflow.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The workflows of which this process has had a delivery.
    #[must_use]
    pub fn met() -> Self {
        let met = MET.read().unwrap_or_else(PoisonError::into_inner);
        met.values()
            .fold(Self::new(), |workflows, workflow| workflows.with(workflow))
    }

    /// These, and that one.
    #[must_use]
    pub fn with(self, workflow: &Workflow) -> Self {
        self.of(workflow.name(), Addressee::of(workflow))
    }

    /// These, and the one of that name.
    #[must_use]
    pub fn of(mut self, name: impl Into<String>, addressee: Addressee) -> Self {
        self.0.insert(name.into(), addressee);
        self
    }

    /// Whom the cases of that workflow concern.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Addressee> {
        self.0.get(name)
    }

    /// How often finished rows are removed: the shortest that a contract asks for.
    pub(super) fn every(&self) -> Duration {
        let asked = self.0.values().filter_map(|to| to.cleanup);
        asked.map(|(every, _)| every).min().unwrap_or(EVERY)
    }

    /// How many at a time: the fewest that a contract asks for.
    pub(super) fn batch(&self) -> u32 {
        let asked = self.0.values().filter_map(|to| to.cleanup);
        asked.map(|(_, batch)| batch).min().unwrap_or(BATCH).max(1)
    }

    /// These, and those of `other` that are not among them.
    #[must_use]
    pub fn or(mut self, other: Self) -> Self {
        for (name, addressee) in other.0 {
            self.0.entry(name).or_insert(addressee);
        }
        self
    }
}

impl Addressee {
    /// As the workflow says.
    #[must_use]
    pub fn of(workflow: &Workflow) -> Self {
        let to = workflow.dead_letters();
        Self {
            owner: to.map(|to| to.owner.to_owned()),
            channel: to.map(|to| to.channel.to_owned()),
            deadline: to.and_then(|to| to.deadline),
            window: match workflow.window() {
                Window::For(window) => Some(window),
                Window::Forever => None,
            },
            cleanup: workflow.cleanup(),
        }
    }
}

static MET: RwLock<BTreeMap<&'static str, &'static Workflow>> = RwLock::new(BTreeMap::new());

/// Remembers a workflow that this process has a delivery of.
pub(crate) fn remember(workflow: &'static Workflow) {
    let known = MET
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .contains_key(workflow.name());
    if !known {
        MET.write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(workflow.name(), workflow);
    }
}
