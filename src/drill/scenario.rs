//! The drills themselves. Each is one function over a [`Scene`]: `Ok(Some(why))` when it does not
//! apply, `Err` when it could not be played to its end.

mod kill;
mod lease;
mod race;
mod recipe;
mod replay;
mod request;

use std::time::Duration;

use super::Drill;
use super::arena::Arena;
use super::child::{Child, name_of};
use super::events::Events;
use super::kind::Kind;
use super::process::{Came, Process};
use super::report::Check;
use super::seen::Seen;
use super::store::{DrillStore, Record};
use super::subject::{Subject, Trouble};
use crate::Point;

/// What a drill comes to: nothing more than its checks, or the reason why it does not apply.
pub(super) type Played = Result<Option<String>, Trouble>;

pub(super) async fn play<S: Subject>(kind: Kind, scene: &mut Scene<'_, S>) -> Played {
    match kind {
        Kind::ReplayBackToBack => replay::back_to_back(scene).await,
        Kind::ReplayAfterLease => lease::replay_after_lease(scene).await,
        Kind::KillBeforeWork => kill::at(scene, Point::Claimed).await,
        Kind::KillMidWork => kill::at(scene, Point::HandlerDone).await,
        Kind::KillBeforeCommit => kill::at(scene, Point::BeforeCommit).await,
        Kind::KillAfterCommit => kill::at(scene, Point::AfterCommit).await,
        Kind::Race => race::race(scene).await,
        Kind::SameKeyOtherBody => request::same_key_other_body(scene).await,
        Kind::MustDiffer => request::must_differ(scene).await,
        Kind::OldRecipe => recipe::old_recipe(scene).await,
    }
}

/// Said where a drill kills and nobody said how to start a child.
pub(super) const NO_CHILD: &str = "it needs a child process, and no way to start one was given";

/// Where a drill is played: makes scratch databases and children, and writes down what it sees.
pub(super) struct Scene<'d, S> {
    drill: &'d Drill<S>,
    checks: Vec<Check>,
    scratch: Vec<String>,
}

/// What one undisturbed delivery leaves.
pub(super) struct Baseline {
    pub(super) before: String,
    pub(super) after: String,
}

impl<'d, S: Subject> Scene<'d, S> {
    pub(super) const fn new(drill: &'d Drill<S>) -> Self {
        Self {
            drill,
            checks: Vec::new(),
            scratch: Vec::new(),
        }
    }

    pub(super) fn events(&self) -> Result<Events, Trouble> {
        self.drill.subject.events()
    }

    pub(super) fn attempts(&self) -> u32 {
        self.drill.subject.attempts()
    }

    pub(super) fn waits(&self) -> Duration {
        self.drill.subject.waits()
    }

    /// A scratch database of its own.
    pub(super) async fn arena(&mut self) -> Result<Arena<S>, Trouble> {
        let url = S::Store::scratch(self.drill.url.as_deref()).await?;
        self.scratch.push(url.clone());
        Arena::open(&self.drill.subject, url).await
    }

    /// What one undisturbed delivery leaves, in a database of its own.
    pub(super) async fn baseline(&mut self, event: &[u8]) -> Result<Baseline, Trouble> {
        let arena = self.arena().await?;
        let before = arena.state().await?;
        let seen = arena.deliver(event).await;
        if seen.verdict.name() != "fresh" {
            return Err(format!(
                "one undisturbed delivery of the event is not fresh but {seen}; give the drill an event that the handler accepts"
            )
            .into());
        }
        let after = arena.state().await?;
        if before == after {
            return Err(
                "one undisturbed delivery changes nothing that `state` shows; let it show what the handler writes"
                    .into(),
            );
        }
        Ok(Baseline { before, after })
    }

    pub(super) fn child(&self) -> Option<Child> {
        self.drill.child.clone()
    }

    /// A child at work on that event, which stops at the point or nowhere.
    pub(super) async fn start(
        &self,
        child: &Child,
        arena: &Arena<S>,
        event: &[u8],
        stop_at: Option<Point>,
    ) -> Result<Process, Trouble> {
        Process::start(child, self.drill.subject.name(), &arena.url, event, stop_at).await
    }

    /// A child that stands at that point, or `None` (and a failed check) when it finished instead.
    pub(super) async fn stopped_at(
        &mut self,
        child: &Child,
        arena: &Arena<S>,
        event: &[u8],
        point: Point,
    ) -> Result<Option<Process>, Trouble> {
        let mut process = self.start(child, arena, event, Some(point)).await?;
        match process.came().await? {
            Came::ToThePoint => Ok(Some(process)),
            Came::ToTheEnd(seen) => {
                let name = name_of(point);
                self.check(
                    "a process at work",
                    &format!("passes `{name}`"),
                    &format!("finished without: {seen}"),
                    false,
                );
                Ok(None)
            }
        }
    }

    pub(super) fn check(&mut self, what: &str, expected: &str, seen: &str, passed: bool) {
        self.checks.push(Check {
            what: what.to_owned(),
            expected: expected.to_owned(),
            seen: seen.to_owned(),
            passed,
        });
    }

    /// The delivery has one of these verdicts, by name.
    pub(super) fn verdict(&mut self, what: &str, seen: &Seen, expected: &[&str]) {
        let passed = expected.contains(&seen.verdict.name());
        self.check(what, &expected.join(" or "), &seen.to_string(), passed);
    }

    pub(super) fn equal(&mut self, what: &str, expected: &str, seen: &str) {
        self.check(what, expected, seen, expected == seen);
    }

    /// The bookkeeping holds this many rows.
    pub(super) fn count(&mut self, what: &str, expected: usize, records: &[Record]) {
        let lines: Vec<&str> = records.iter().map(|record| record.text.as_str()).collect();
        let seen = format!("{} {}", records.len(), lines.join("\n"));
        self.check(
            what,
            &format!("{expected} in the bookkeeping"),
            &seen,
            records.len() == expected,
        );
    }

    /// The bookkeeping is as it was, to the last column.
    pub(super) fn untouched(&mut self, what: &str, before: &[Record], after: &[Record]) {
        let text = |records: &[Record]| -> String {
            let lines: Vec<&str> = records.iter().map(|record| record.text.as_str()).collect();
            lines.join("\n")
        };
        self.equal(what, &text(before), &text(after));
    }

    /// Removes every scratch database; one that cannot be removed fails the drill, since somebody
    /// has to.
    pub(super) async fn clear(&mut self) {
        for url in std::mem::take(&mut self.scratch) {
            if let Err(trouble) = S::Store::discard(&url).await {
                let seen = super::report::chain(&*trouble);
                self.check(
                    &format!("scratch database {}", shown(&url)),
                    "is removed",
                    &seen,
                    false,
                );
            }
        }
    }

    pub(super) fn into_checks(self) -> Vec<Check> {
        self.checks
    }
}

/// An address without the user and password in it.
fn shown(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, place))) => format!("{scheme}://{place}"),
        _ => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_report_shows_no_password() {
        let url = "postgres://idem:s3:cr@t@db/shop?options[search_path]=scratch";
        assert_eq!(
            shown(url),
            "postgres://db/shop?options[search_path]=scratch"
        );
        assert_eq!(
            shown("sqlite:///tmp/scratch.db"),
            "sqlite:///tmp/scratch.db"
        );
    }
}
