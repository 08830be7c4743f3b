//! Sentence 16. Cleaning deletes only `done` and `failed` rows past `expires_at`, in bounded batches that
//! skip locked rows, in transactions of their own; it never blocks a claim.

use std::sync::Arc;
use std::time::Duration;

use idem::Mode;
use idem::store::{Claimed, Remains, Store as _};
use tokio::sync::Notify;

use super::harness::{Harness, Speaks, against_every_store};
use super::script::*;

against_every_store! {
    only_finished_rows_past_their_window_are_swept,
    a_batch_is_bounded,
    a_row_kept_for_ever_is_never_swept,
    a_sweep_in_mid_race_takes_no_live_row,
}

async fn only_finished_rows_past_their_window_are_swept<H: Harness>(h: &H) {
    let leased = workflow(Mode::Leased, |w| w);
    assert!(is_fresh(
        &call::<H>(h.store(), &delivery(leased, "done")).await
    ));
    for (id, remains) in [
        ("failed", Some(Remains::Nothing)),
        ("ambiguous", Some(Remains::Unknown("a test said so"))),
        ("in flight", None),
    ] {
        let asked = request(leased, id, "10");
        let Claimed::Won(claim) = h.store().claim(&asked).await.expect("it answers") else {
            panic!("the key is absent");
        };
        if let Some(remains) = remains {
            h.store()
                .fail(&asked, &claim, remains)
                .await
                .expect("it answers");
        }
    }
    assert_eq!(h.store().sweep(100).await.expect("it sweeps"), 0);
    h.age(Duration::from_secs(3601)).await;
    let young = delivery(leased, "young");
    assert!(is_fresh(&call::<H>(h.store(), &young).await));
    assert_eq!(h.rows().await, 5);
    assert_eq!(h.store().sweep(100).await.expect("it sweeps"), 2);
    assert_eq!(h.rows().await, 3);
    assert!(is_replay(&call::<H>(h.store(), &young).await));
    for id in ["ambiguous", "in flight"] {
        let row = h.store().read(&key_of(leased, id)).await.expect("it reads");
        assert!(row.is_some(), "{id} is still known");
    }
}

async fn a_batch_is_bounded<H: Harness>(h: &H) {
    let fused = workflow(Mode::Fused, |w| w);
    for id in ["a", "b", "c", "d", "e"] {
        assert!(is_fresh(
            &call::<H>(h.store(), &delivery(fused, id).only([])).await
        ));
    }
    h.age(Duration::from_secs(3601)).await;
    let mut swept = Vec::new();
    for _ in 0..4 {
        swept.push(h.store().sweep(2).await.expect("it sweeps"));
    }
    assert_eq!(swept, [2, 2, 1, 0]);
}

async fn a_row_kept_for_ever_is_never_swept<H: Harness>(h: &H) {
    let forever = workflow(Mode::Fused, |w| w.window_forever());
    let one = delivery(forever, "one");
    assert!(is_fresh(&call::<H>(h.store(), &one).await));
    h.age(Duration::from_secs(20 * 365 * 24 * 3600)).await;
    assert_eq!(h.store().sweep(100).await.expect("it sweeps"), 0);
    assert!(is_replay(&call::<H>(h.store(), &one).await));
}

/// A sweep while an expired key is being claimed anew: the claim neither waits nor loses.
async fn a_sweep_in_mid_race_takes_no_live_row<H: Harness>(h: &H) {
    for mode in MODES {
        let id = if mode == Mode::Fused {
            "fused"
        } else {
            "leased"
        };
        let flow = workflow(mode, |w| w);
        assert!(is_fresh(
            &call::<H>(h.store(), &delivery(flow, id).only([])).await
        ));
        h.age(Duration::from_secs(3601)).await;
        let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let working = delivery(flow, id)
            .then(Step::Tell(Arc::clone(&begun)))
            .then(Step::Await(Arc::clone(&go_on)));
        let owner = spawn::<H>(h.store(), &working);
        begun.notified().await;
        // On SQLite the owner holds the one writer: a sweep would wait its turn.
        let meanwhile = if H::SPEAKS == Speaks::Sqlite {
            None
        } else {
            Some(h.store().sweep(100).await.expect("it sweeps"))
        };
        go_on.notify_one();
        let told = owner.await.expect("the owner ends");
        assert!(is_fresh(&told), "{told:?} after sweeping {meanwhile:?}");
        assert!(is_replay(&call::<H>(h.store(), &delivery(flow, id)).await));
        let fence = told.expect("fresh").answer().expect("fresh").fence();
        assert_eq!(fence.get(), 2, "the fence outlives the sweep");
    }
}
