//! Sentence 10. Dropping the caller's future (a client that hangs up) rolls local effects back. Nothing
//! outside had begun, so the claim is released.

use std::sync::Arc;

use idem::Mode;
use idem::store::{Claimed, Store as _};
use tokio::sync::Notify;

use super::harness::{Harness, against_every_store, row};
use super::script::*;

against_every_store! {
    a_dropped_caller_leaves_nothing_behind_and_the_retry_runs_at_once,
    a_released_attempt_does_not_count_and_its_fence_stays_used,
}

async fn a_dropped_caller_leaves_nothing_behind_and_the_retry_runs_at_once<H: Harness>(h: &H) {
    for mode in MODES {
        let id = if mode == Mode::Fused {
            "fused"
        } else {
            "leased"
        };
        let flow = workflow(mode, |w| w.max_attempts(2));
        let before = h.effects().await;
        for _ in 0..3 {
            // More hang-ups than attempts: none of them is one.
            let begun = Arc::new(Notify::new());
            let stuck = delivery(flow, id)
                .then(Step::Tell(Arc::clone(&begun)))
                .then(Step::Hang);
            let caller = tokio::select! {
                told = call::<H>(h.store(), &stuck) => Some(told),
                () = begun.notified() => None,
            };
            if let Some(told) = caller {
                // The last hang-up's rollback is still on its way.
                assert!(is_busy(&told), "{told:?}");
            }
            assert_eq!(h.effects().await, before);
        }
        let told = until_told::<H>(h.store(), &delivery(flow, id)).await;
        assert!(
            matches!(&told, Ok(idem::Outcome::Fresh(a)) if a.attempt() == 1),
            "{told:?}"
        );
        assert_eq!(h.effects().await, before + 1);
    }
}

async fn a_released_attempt_does_not_count_and_its_fence_stays_used<H: Harness>(h: &H) {
    let leased = workflow(Mode::Leased, |w| w.max_attempts(1));
    let asked = request(leased, "one", "10");
    for fence in 1..=3 {
        let Claimed::Won(claim) = h.store().claim(&asked).await.expect("it answers") else {
            panic!("the key is free");
        };
        assert_eq!((claim.attempt, claim.fence.get()), (1, fence));
        h.store().release(&asked, &claim).await.expect("it answers");
        let (status, attempt, kept) = row(h.store(), asked.key()).await.expect("a row");
        assert_eq!((status, attempt, kept.get()), ("failed", 0, fence));
    }
}
