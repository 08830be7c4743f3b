//! A key recipe that changed between an event's two deliveries.

use std::time::SystemTime;

use super::replay::REPLAYED;
use super::{Played, Scene};
use crate::drill::store::{DrillStore as _, rename};
use crate::drill::subject::Subject;

pub(super) async fn old_recipe<S: Subject>(scene: &mut Scene<'_, S>) -> Played {
    let event = scene.events()?.event();
    let baseline = scene.baseline(&event).await?;
    let mut at = 0;
    loop {
        let arena = scene.arena().await?;
        let first = arena.deliver(&event).await;
        scene.verdict("the first delivery", &first, &["fresh"]);
        let Some(asked) = arena.asked() else {
            return Ok(Some(
                "the subject asks no store of this library, so nothing is known of its keys"
                    .to_owned(),
            ));
        };
        let Some(previous) = asked.previous_keys().get(at) else {
            return Ok((at == 0).then(|| "the contract has no previous key recipe".to_owned()));
        };
        if previous.until() <= SystemTime::now() {
            return Err(
                "the overlap with a previous key recipe is over; take it out of the contract"
                    .into(),
            );
        }
        // What a program that knew that recipe alone would have left.
        let renamed = rename(&arena.store, asked.key(), previous.key()).await?;
        scene.equal("rows put under the previous key", "1", &renamed.to_string());
        let records = arena.store.records().await?;

        let second = arena.deliver(&event).await;
        scene.verdict("the retry under the present recipe", &second, &REPLAYED);
        scene.equal(
            "business tables after the retry",
            &baseline.after,
            &arena.state().await?,
        );
        scene.untouched(
            "bookkeeping after the retry",
            &records,
            &arena.store.records().await?,
        );
        at += 1;
    }
}
