//! SIGKILL of a real process, then a replay by a new one.

use super::replay::REPLAYED;
use super::{NO_CHILD, Played, Scene};
use crate::Point;
use crate::drill::process::Came;
use crate::drill::store::Age;
use crate::drill::subject::Subject;

pub(super) async fn at<S: Subject>(scene: &mut Scene<'_, S>, point: Point) -> Played {
    let Some(child) = scene.child() else {
        return Ok(Some(NO_CHILD.to_owned()));
    };
    let event = scene.events()?.event();
    let baseline = scene.baseline(&event).await?;
    let arena = scene.arena().await?;
    let Some(process) = scene.stopped_at(&child, &arena, &event, point).await? else {
        return Ok(None);
    };
    process.kill().await?;

    let committed = point == Point::AfterCommit;
    let left = if committed {
        &baseline.after
    } else {
        &baseline.before
    };
    scene.equal(
        "business tables after the kill",
        left,
        &arena.state().await?,
    );
    let in_flight = arena
        .records()
        .await?
        .iter()
        .any(|record| record.status == "in_flight");
    if in_flight {
        let meanwhile = arena.deliver(&event).await;
        scene.verdict(
            "a delivery while the dead owner's lease runs",
            &meanwhile,
            &["busy"],
        );
        arena.age(Age::EndLeases).await?;
    }

    let exhausted = in_flight && scene.attempts() < 2;
    let (expected, finally): (&[&str], _) = match (committed, exhausted) {
        (true, _) => (&REPLAYED, &baseline.after),
        (false, true) => (&["exhausted"], &baseline.before),
        (false, false) => (&["fresh"], &baseline.after),
    };
    let mut replay = scene.start(&child, &arena, &event, None).await?;
    let seen = match replay.came().await? {
        // The database has not noticed the kill yet.
        Came::ToTheEnd(seen) if seen.verdict.name() == "busy" => {
            arena.deliver_after_kill(&event).await?
        }
        Came::ToTheEnd(seen) => seen,
        Came::ToThePoint => return Err("a process without a stop has stopped".into()),
    };
    scene.verdict("the replay by a new process", &seen, expected);
    scene.equal(
        "business tables after the replay",
        finally,
        &arena.state().await?,
    );

    let again = arena.deliver(&event).await;
    let expected = if exhausted { expected } else { &REPLAYED };
    scene.verdict("one more replay", &again, expected);
    scene.equal("business tables at last", finally, &arena.state().await?);
    Ok(None)
}
