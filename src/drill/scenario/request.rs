//! One key with two requests, and two keys with nearly one request.

use super::replay::REPLAYED;
use super::{Played, Scene};
use crate::Point;
use crate::drill::scenario::Baseline;
use crate::drill::store::{Age, Aged};
use crate::drill::subject::{Subject, Trouble};

pub(super) async fn same_key_other_body<S: Subject>(scene: &mut Scene<'_, S>) -> Played {
    let events = scene.events()?;
    let event = events.event();
    let Some((field, other)) = events.other() else {
        return Ok(Some(
            "the request hash covers no field, so no body can be told from another".to_owned(),
        ));
    };
    let baseline = scene.baseline(&event).await?;
    finished(scene, &event, &events.reordered(), field, &other).await?;
    in_flight(scene, &event, field, &other, &baseline).await?;
    expired(scene, &event, &other).await?;
    Ok(None)
}

/// Against a row that is `done`, and then `failed`.
async fn finished<S: Subject>(
    scene: &mut Scene<'_, S>,
    event: &[u8],
    reordered: &[u8],
    field: &str,
    other: &[u8],
) -> Result<(), Trouble> {
    let arena = scene.arena().await?;
    let first = arena.deliver(event).await;
    scene.verdict("the first delivery", &first, &["fresh"]);
    let state = arena.state().await?;
    let records = arena.records().await?;

    let seen = arena.deliver(other).await;
    scene.verdict("another body against `done`", &seen, &["mismatch"]);
    if seen.verdict.name() == "mismatch" {
        scene.equal("the fields that it names", field, &seen.note);
    }
    let seen = arena.deliver(reordered).await;
    scene.verdict("the same body in another order", &seen, &REPLAYED);
    scene.equal("business tables after both", &state, &arena.state().await?);
    scene.untouched("bookkeeping after both", &records, &arena.records().await?);

    arena.age(Age::Fail).await?;
    let records = arena.records().await?;
    let seen = arena.deliver(other).await;
    scene.verdict("another body against `failed`", &seen, &["mismatch"]);
    scene.equal("business tables after it", &state, &arena.state().await?);
    scene.untouched("bookkeeping after it", &records, &arena.records().await?);
    Ok(())
}

/// Against a row that is `in_flight`. Where the claim is an open transaction, its request cannot be
/// seen yet, and the other one is told to come back.
async fn in_flight<S: Subject>(
    scene: &mut Scene<'_, S>,
    event: &[u8],
    field: &str,
    other: &[u8],
    baseline: &Baseline,
) -> Result<(), Trouble> {
    let Some(child) = scene.child() else {
        return Ok(());
    };
    let arena = scene.arena().await?;
    let Some(owner) = scene
        .stopped_at(&child, &arena, event, Point::Claimed)
        .await?
    else {
        return Ok(());
    };
    let leased = !arena.records().await?.is_empty();
    let expected = if leased { "mismatch" } else { "busy" };
    let seen = arena.deliver(other).await;
    scene.verdict("another body against `in_flight`", &seen, &[expected]);
    if leased {
        scene.equal("the fields that it names", field, &seen.note);
        if arena.age(Age::EndLeases).await? == Aged::Yes {
            let seen = arena.deliver(other).await;
            scene.verdict(
                "another body against `in_flight`, its lease over",
                &seen,
                &["mismatch"],
            );
        }
    }
    scene.equal(
        "business tables meanwhile",
        &baseline.before,
        &arena.state().await?,
    );
    let end = owner.go_on().await?;
    scene.verdict("the owner's end", &end, &["fresh"]);
    scene.equal(
        "business tables at last",
        &baseline.after,
        &arena.state().await?,
    );
    Ok(())
}

/// A row past its window is no row: the other body is new work, which the handler may well refuse
/// for reasons of its own.
async fn expired<S: Subject>(
    scene: &mut Scene<'_, S>,
    event: &[u8],
    other: &[u8],
) -> Result<(), Trouble> {
    let arena = scene.arena().await?;
    let first = arena.deliver(event).await;
    scene.verdict("the first delivery", &first, &["fresh"]);
    arena.age(Age::Expire).await?;
    let seen = arena.deliver(other).await;
    scene.verdict(
        "another body after the window",
        &seen,
        &["fresh", "failed", "refused"],
    );
    Ok(())
}

/// Events that differ only in one field of the key all take effect.
pub(super) async fn must_differ<S: Subject>(scene: &mut Scene<'_, S>) -> Played {
    let events = scene.events()?;
    let event = events.event();
    let mut any = false;
    for (field, other) in events.others() {
        any = true;
        let arena = scene.arena().await?;
        let first = arena.deliver(&event).await;
        scene.verdict("the first event", &first, &["fresh"]);
        let state = arena.state().await?;
        let second = arena.deliver(&other).await;
        scene.verdict(
            &format!("an event with another `{field}`"),
            &second,
            &["fresh"],
        );
        let both = arena.state().await?;
        scene.check(
            &format!("business tables after another `{field}`"),
            "both took effect",
            &both,
            both != state,
        );
        scene.count(
            &format!("after another `{field}`"),
            2,
            &arena.records().await?,
        );
    }
    if any {
        Ok(None)
    } else {
        Ok(Some("no event was given that must differ".to_owned()))
    }
}
