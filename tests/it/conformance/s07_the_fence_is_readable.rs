//! Sentence 7. The fence can be read by the handler, to be sent with writes to other systems.

use std::time::Duration;

use idem::store::{Claimed, Store as _, Transaction as _, TransactionalStore as _};
use idem::{Fence, Mode};

use super::harness::{Harness, against_every_store};
use super::script::*;

against_every_store! {
    the_handlers_transaction_knows_its_fence_and_attempt,
    the_fence_grows_with_every_owner,
}

async fn the_handlers_transaction_knows_its_fence_and_attempt<H: Harness>(h: &H) {
    let fused = request(workflow(Mode::Fused, |w| w), "fused", "10");
    let Claimed::Won((tx, claim)) = h.store().claim_in(&fused).await.expect("it answers") else {
        panic!("the key is absent");
    };
    assert_eq!((tx.fence(), tx.attempt()), (Fence::FIRST, 1));
    assert_eq!((claim.fence, claim.attempt), (Fence::FIRST, 1));
    h.store().rollback(tx).await.expect("it rolls back");

    let leased = request(workflow(Mode::Leased, |w| w), "leased", "10");
    for attempt in 1..=2 {
        let Claimed::Won(claim) = h.store().claim(&leased).await.expect("it answers") else {
            panic!("the key is free");
        };
        let Claimed::Won(tx) = h.store().begin(&leased, &claim).await.expect("it begins") else {
            panic!("the writer is free");
        };
        assert_eq!(tx.attempt(), attempt);
        assert_eq!(tx.fence().get(), u64::from(attempt));
        h.store().rollback(tx).await.expect("it rolls back");
        h.age(Duration::from_secs(61)).await;
    }
}

async fn the_fence_grows_with_every_owner<H: Harness>(h: &H) {
    for mode in MODES {
        let id = if mode == Mode::Fused {
            "fused"
        } else {
            "leased"
        };
        let flow = workflow(mode, |w| w);
        let failing = delivery(flow, id).only([Step::Fail(Oops::TryAgain)]);
        for _ in 0..2 {
            assert!(call::<H>(h.store(), &failing).await.is_err());
        }
        let told = call::<H>(h.store(), &delivery(flow, id))
            .await
            .expect("it runs");
        let answer = told.answer().expect("it is fresh");
        assert_eq!((answer.attempt(), answer.fence().get()), (3, 3));

        h.age(Duration::from_secs(3601)).await;
        let anew = call::<H>(h.store(), &delivery(flow, id).only([]))
            .await
            .expect("it runs");
        let answer = anew.answer().expect("it is fresh");
        assert_eq!((answer.attempt(), answer.fence().get()), (1, 4));
    }
}
