//! The schedule search: every order in which two or three workers can take the steps of a claim,
//! with crashes, pauses past the lease and lost answers between any two of them.
//!
//! The decision is the library's own [`idem::claim::decide`]; the statements are modelled one by
//! one, each with the condition that its SQL states.

mod case;
mod model;
mod promises;
mod state;
mod store;
#[cfg(test)]
mod tests;
mod trace;

use std::fmt;
use std::time::{Duration, Instant};

use stateright::{Checker, HasDiscoveries, Model as _};

use self::case::Case;
use self::model::{Action, SETTLED, Schedule};
use self::state::{State, Wrong};

/// What one search found.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The protocol searched, and its setting.
    pub name: &'static str,
    /// States reached, workers that differ in name only counted as one.
    pub states: usize,
    /// Steps taken from any of them.
    pub steps: usize,
    /// Steps of the longest schedule.
    pub longest: usize,
    /// How long it took.
    pub took: Duration,
    /// The promise that was broken first, and the shortest schedule that breaks it.
    pub broken: Option<(&'static str, Vec<String>)>,
}

/// What all of them found.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The protocol as it is: nothing may be broken.
    pub whole: Vec<Searched>,
    /// The broken twins: each must break a promise.
    pub twins: Vec<Searched>,
}

/// Searches the protocol, and every twin of it. A deep search lets more go wrong in one schedule.
#[must_use]
pub fn search(deep: bool, mut done: impl FnMut(&Searched)) -> Findings {
    let mut each = |cases: Vec<Case>| {
        let searched = cases.into_iter().map(search_one);
        searched.inspect(|one| done(one)).collect()
    };
    Findings {
        whole: each(case::whole(deep)),
        twins: each(case::twins()),
    }
}

fn search_one(case: Case) -> Searched {
    let begun = Instant::now();
    let checker = checker(case, None);
    let broken = broken(&checker).map(|found| {
        // The checker goes on for a while after its first discovery and keeps the last one: with
        // the depth bounded step by step, what is found first is a shortest one.
        let shortest = (2..=found.1.len())
            .find_map(|depth| self::broken(&self::checker(case, Some(depth + 1))));
        let (promise, path) = shortest.unwrap_or(found);
        (promise, trace::lines(&case, &path))
    });
    Searched {
        name: case.name,
        states: checker.unique_state_count(),
        steps: checker.state_count(),
        longest: checker.max_depth(),
        took: begun.elapsed(),
        broken,
    }
}

fn checker(case: Case, depth: Option<usize>) -> impl Checker<Schedule> {
    let mut builder = Schedule(case)
        .checker()
        .finish_when(HasDiscoveries::AnyFailures);
    if let Some(depth) = depth {
        builder = builder.target_max_depth(depth);
    }
    builder.spawn_bfs().join()
}

/// A schedule, from the first state on.
type Path = Vec<(State, Option<Action>)>;

fn broken(checker: &impl Checker<Schedule>) -> Option<(&'static str, Path)> {
    let promises = Wrong::ALL.map(Wrong::promise).into_iter().chain([SETTLED]);
    promises
        .filter_map(|promise| Some((promise, checker.discovery(promise)?.into_vec())))
        .min_by_key(|(_, path)| path.len())
}

impl Findings {
    /// How many twins were caught.
    #[must_use]
    pub fn caught(&self) -> usize {
        self.twins.iter().filter(|one| one.broken.is_some()).count()
    }

    /// Whether the protocol kept every promise, and every twin was caught.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.whole.iter().all(|one| one.broken.is_none()) && self.caught() == self.twins.len()
    }
}

impl fmt::Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            states,
            steps,
            longest,
            ..
        } = self;
        write!(
            f,
            "{name:<40} {states:>9} states {steps:>10} steps, longest {longest:>3}, {:>5.1} s",
            self.took.as_secs_f64()
        )?;
        match &self.broken {
            None => write!(f, "  every promise kept"),
            Some((promise, lines)) => {
                write!(f, "\n    broken: {promise}")?;
                for line in lines {
                    write!(f, "\n      {line}")?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states: usize = self.whole.iter().map(|one| one.states).sum();
        let steps: usize = self.whole.iter().map(|one| one.steps).sum();
        let kept = self.whole.iter().filter(|one| one.broken.is_none()).count();
        writeln!(
            f,
            "{kept} of {} searches of the protocol kept every promise: {states} states, {steps} steps",
            self.whole.len()
        )?;
        write!(
            f,
            "{} of {} broken twins caught",
            self.caught(),
            self.twins.len()
        )
    }
}
