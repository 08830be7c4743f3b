//! A delivery after the owner's lease is over.

use super::replay::REPLAYED;
use super::{NO_CHILD, Played, Scene};
use crate::Point;
use crate::drill::child::Child;
use crate::drill::scenario::Baseline;
use crate::drill::store::{Age, Aged};
use crate::drill::subject::Subject;

pub(super) async fn replay_after_lease<S: Subject>(scene: &mut Scene<'_, S>) -> Played {
    let Some(child) = scene.child() else {
        return Ok(Some(NO_CHILD.to_owned()));
    };
    let event = scene.events()?.event();
    let baseline = scene.baseline(&event).await?;
    dead_owner(scene, &child, &event, &baseline).await?;
    slow_owner(scene, &child, &event, &baseline).await?;
    Ok(None)
}

/// The owner is dead: the takeover finishes the work once.
async fn dead_owner<S: Subject>(
    scene: &mut Scene<'_, S>,
    child: &Child,
    event: &[u8],
    baseline: &Baseline,
) -> Result<(), crate::drill::Trouble> {
    let arena = scene.arena().await?;
    let Some(owner) = scene
        .stopped_at(child, &arena, event, Point::Claimed)
        .await?
    else {
        return Ok(());
    };
    owner.kill().await?;
    let seen = arena.deliver_after_kill(event).await?;
    if scene.attempts() < 2 && seen.verdict.name() == "exhausted" {
        scene.equal(
            "business tables, one attempt allowed",
            &baseline.before,
            &arena.state().await?,
        );
        return Ok(());
    }
    scene.verdict("dead owner: a delivery after its lease", &seen, &["fresh"]);
    scene.equal(
        "dead owner: business tables",
        &baseline.after,
        &arena.state().await?,
    );
    let again = arena.deliver(event).await;
    scene.verdict("dead owner: one more delivery", &again, &REPLAYED);
    Ok(())
}

/// The owner is merely slow: it is fenced and changes nothing, or its handler's own constraints stop
/// it before. Where the claim is the owner's open transaction there is no lease to be over, and where
/// that transaction holds the database's one writer nobody can take over: it goes on to the end.
async fn slow_owner<S: Subject>(
    scene: &mut Scene<'_, S>,
    child: &Child,
    event: &[u8],
    baseline: &Baseline,
) -> Result<(), crate::drill::Trouble> {
    let arena = scene.arena().await?;
    let Some(owner) = scene
        .stopped_at(child, &arena, event, Point::Claimed)
        .await?
    else {
        return Ok(());
    };
    let leased = !arena.records().await?.is_empty();
    let over = leased && arena.age(Age::EndLeases).await? == Aged::Yes;
    if over && scene.attempts() >= 2 {
        let taken_over = arena.deliver(event).await;
        scene.verdict(
            "slow owner: a delivery after its lease",
            &taken_over,
            &["fresh"],
        );
        let records = arena.records().await?;
        let zombie = owner.go_on().await?;
        scene.verdict("slow owner: its own end", &zombie, &["fenced", "failed"]);
        scene.untouched(
            "slow owner: bookkeeping after its end",
            &records,
            &arena.records().await?,
        );
    } else {
        let meanwhile = arena.deliver(event).await;
        let expected = if over { "exhausted" } else { "busy" };
        scene.verdict("slow owner: a delivery meanwhile", &meanwhile, &[expected]);
        let end = owner.go_on().await?;
        scene.verdict("slow owner: its own end", &end, &["fresh"]);
    }
    scene.equal(
        "slow owner: business tables",
        &baseline.after,
        &arena.state().await?,
    );
    let again = arena.deliver(event).await;
    scene.verdict("slow owner: one more delivery", &again, &REPLAYED);
    Ok(())
}
