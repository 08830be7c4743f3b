//! Sentence 17. The window runs from completion and is not renewed by replays. A delivery after it is new
//! work.

use std::time::Duration;

use idem::Mode;
use idem::store::{Claimed, Store as _, TransactionalStore as _};

use super::harness::{Harness, against_every_store};
use super::script::*;

against_every_store! {
    a_replay_does_not_renew_the_window,
    a_delivery_after_the_window_is_new_work_even_with_another_body,
    the_window_runs_from_completion_and_not_from_the_claim,
}

async fn a_replay_does_not_renew_the_window<H: Harness>(h: &H) {
    for mode in MODES {
        let id = if mode == Mode::Fused {
            "fused"
        } else {
            "leased"
        };
        let one = delivery(workflow(mode, |w| w), id).only([]);
        assert!(is_fresh(&call::<H>(h.store(), &one).await));
        h.age(Duration::from_secs(1800)).await;
        assert!(is_replay(&call::<H>(h.store(), &one).await));
        h.age(Duration::from_secs(1790)).await;
        assert!(is_replay(&call::<H>(h.store(), &one).await));
        h.age(Duration::from_secs(11)).await;
        let told = call::<H>(h.store(), &one).await;
        assert!(is_fresh(&told), "{told:?}");
    }
}

async fn a_delivery_after_the_window_is_new_work_even_with_another_body<H: Harness>(h: &H) {
    for (mode, id, second) in [
        (Mode::Fused, "fused", "fused again"),
        (Mode::Leased, "leased", "leased again"),
    ] {
        let one = delivery(workflow(mode, |w| w), id);
        assert!(is_fresh(&call::<H>(h.store(), &one).await));
        h.age(Duration::from_secs(3601)).await;
        let other = one.body("999").only([Step::Put(second)]);
        let told = call::<H>(h.store(), &other).await;
        assert!(is_fresh(&told), "{told:?}");
        assert!(is_replay(&call::<H>(h.store(), &other).await));
    }
    assert_eq!(h.effects().await, 4);
}

async fn the_window_runs_from_completion_and_not_from_the_claim<H: Harness>(h: &H) {
    let leased = workflow(Mode::Leased, |w| w.lease_ms(7_200_000));
    let asked = request(leased, "one", "10");
    let Claimed::Won(claim) = h.store().claim(&asked).await.expect("it answers") else {
        panic!("the key is absent");
    };
    // The handler takes longer than the window is.
    h.age(Duration::from_secs(3700)).await;
    let Claimed::Won(mut tx) = h.store().begin(&asked, &claim).await.expect("it begins") else {
        panic!("the writer is free");
    };
    let value = idem::store::Completion {
        kind: idem::claim::ResultKind::Value,
        bytes: Some(b"\"late\""),
        version: 1,
    };
    h.store()
        .complete_in(&mut tx, &asked, &claim, value)
        .await
        .expect("it completes");
    h.store().commit(tx).await.expect("it commits");
    let told = call::<H>(h.store(), &delivery(leased, "one")).await;
    assert!(is_replay(&told), "{told:?}");
}
