//! Many workers on one message.

use std::time::Duration;

use super::replay::REPLAYED;
use super::{Played, Scene};
use crate::Point;
use crate::drill::scenario::Baseline;
use crate::drill::seen::Seen;
use crate::drill::subject::{Subject, Trouble};

/// How many workers race.
const WORKERS: [usize; 3] = [2, 8, 50];

/// A loser that takes longer than this has waited for the winner. An embedded database with one
/// writer makes losers queue for its busy timeout, which is shorter.
const AT_ONCE: Duration = Duration::from_secs(3);

pub(super) async fn race<S: Subject>(scene: &mut Scene<'_, S>) -> Played {
    let event = scene.events()?.event();
    let baseline = scene.baseline(&event).await?;
    for workers in WORKERS {
        free(scene, workers, &event, &baseline).await?;
        held(scene, workers, &event, &baseline).await?;
    }
    Ok(None)
}

/// All start together.
async fn free<S: Subject>(
    scene: &mut Scene<'_, S>,
    workers: usize,
    event: &[u8],
    baseline: &Baseline,
) -> Result<(), Trouble> {
    let arena = scene.arena().await?;
    let (all, _) = arena.deliver_at_once(workers, event).await?;
    let what = format!("{workers} workers at once");
    let fresh = named(&all, &["fresh"]);
    let told = named(&all, &["busy", REPLAYED[0], REPLAYED[1]]);
    scene.check(
        &what,
        "1 fresh, the others busy or replay",
        &tally(&all),
        fresh == 1 && fresh + told == workers,
    );
    scene.equal(
        &format!("business tables after {what}"),
        &baseline.after,
        &arena.state().await?,
    );
    scene.count(&format!("after {what}"), 1, &arena.records().await?);
    Ok(())
}

/// The winner is another process, which stands still until every loser has its answer.
async fn held<S: Subject>(
    scene: &mut Scene<'_, S>,
    workers: usize,
    event: &[u8],
    baseline: &Baseline,
) -> Result<(), Trouble> {
    let Some(child) = scene.child() else {
        return Ok(());
    };
    let arena = scene.arena().await?;
    let Some(winner) = scene
        .stopped_at(&child, &arena, event, Point::Claimed)
        .await?
    else {
        return Ok(());
    };
    let (losers, slowest) = arena.deliver_at_once(workers, event).await?;
    let what = format!("{workers} workers while a process is at work");
    let busy = named(&losers, &["busy"]);
    scene.check(
        &what,
        &format!("{workers} busy"),
        &tally(&losers),
        busy == workers,
    );
    let bound = AT_ONCE + scene.waits();
    scene.check(
        &format!("the slowest of {what}"),
        &format!("answered within {bound:?}, without the winner"),
        &format!("{slowest:?}"),
        slowest < bound,
    );
    let won = winner.go_on().await?;
    scene.verdict("the process at work", &won, &["fresh"]);
    let (after, _) = arena.deliver_at_once(workers, event).await?;
    let replayed = named(&after, &REPLAYED);
    scene.check(
        &format!("{workers} workers afterwards"),
        &format!("{workers} replay"),
        &tally(&after),
        replayed == workers,
    );
    scene.equal(
        &format!("business tables after {what}"),
        &baseline.after,
        &arena.state().await?,
    );
    Ok(())
}

fn named(all: &[Seen], names: &[&str]) -> usize {
    all.iter()
        .filter(|seen| names.contains(&seen.verdict.name()))
        .count()
}

/// `1 fresh, 49 busy`, with the first note of each that has one.
fn tally(all: &[Seen]) -> String {
    let mut kinds: Vec<(&str, usize, &str)> = Vec::new();
    for seen in all {
        match kinds
            .iter_mut()
            .find(|(name, ..)| *name == seen.verdict.name())
        {
            Some((_, count, _)) => *count += 1,
            None => kinds.push((seen.verdict.name(), 1, &seen.note)),
        }
    }
    let words: Vec<String> = kinds
        .iter()
        .map(|(name, count, note)| match *note {
            "" => format!("{count} {name}"),
            note => format!("{count} {name} ({note})"),
        })
        .collect();
    words.join(", ")
}
