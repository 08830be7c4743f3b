//! The event twice.

use super::{Played, Scene};
use crate::drill::seen::Seen;
use crate::drill::subject::Subject;

/// The verdicts of a delivery whose work is done already.
pub(super) const REPLAYED: [&str; 2] = ["replay", "tombstone"];

pub(super) async fn back_to_back<S: Subject>(scene: &mut Scene<'_, S>) -> Played {
    let event = scene.events()?.event();
    scene.baseline(&event).await?;
    let arena = scene.arena().await?;

    let first = arena.deliver(&event).await;
    scene.verdict("the first delivery", &first, &["fresh"]);
    let (state, records) = (arena.state().await?, arena.records().await?);
    scene.count("after the first delivery", 1, &records);

    let second = arena.deliver(&event).await;
    scene.verdict("the second delivery", &second, &REPLAYED);
    same_bytes(scene, "the second answer", &first, &second);
    scene.equal(
        "business tables after the second delivery",
        &state,
        &arena.state().await?,
    );
    scene.untouched(
        "bookkeeping after the second delivery",
        &records,
        &arena.records().await?,
    );
    Ok(None)
}

/// A replay's result is the first answer's, byte for byte.
fn same_bytes<S: Subject>(scene: &mut Scene<'_, S>, what: &str, first: &Seen, second: &Seen) {
    if let (Some(first), Some(second)) = (&first.bytes, &second.bytes) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        scene.equal(what, &text(first), &text(second));
    }
}
