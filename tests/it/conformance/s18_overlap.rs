//! Sentence 18. During the overlap of a changed key recipe with a previous one, a claim also looks under the
//! previous recipe, in the same decision.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use idem::{Error, Key, Mode, Outcome, Workflow};
use tokio::sync::Notify;

use super::harness::{Harness, against_every_store, row};
use super::script::*;

against_every_store! {
    what_was_done_under_the_previous_recipe_is_replayed,
    what_failed_under_the_previous_recipe_goes_on_there,
    who_works_under_the_previous_recipe_makes_the_key_busy,
    who_works_under_the_present_recipe_makes_the_key_busy_for_an_old_program,
    a_doubtful_end_under_the_previous_recipe_is_a_persons_case,
    another_request_under_the_previous_recipe_is_a_mismatch,
    a_race_during_the_overlap_has_one_winner,
    an_overlap_that_is_over_is_looked_at_no_more,
    a_row_past_its_window_is_no_row_during_an_overlap_either,
    an_end_under_one_recipe_outweighs_a_failure_under_the_other,
}

/// The workflow before and after its key recipe changed.
fn versions(mode: Mode) -> (&'static Workflow, &'static Workflow) {
    let of = |version| {
        let flow = Workflow::new("conformance", version)
            .mode(mode)
            .lease_ms(60_000)
            .window_ms(3_600_000);
        &*Box::leak(Box::new(flow))
    };
    (of(1), of(2))
}

fn tomorrow() -> SystemTime {
    SystemTime::now() + Duration::from_secs(24 * 60 * 60)
}

/// A delivery before the change, and the same event's delivery after it.
fn deliveries(mode: Mode, id: &str) -> (Delivery, Delivery) {
    let id: &'static str = format!("{id} {mode:?}").leak();
    let (before, after) = versions(mode);
    let old = delivery(before, id);
    let key: Key = old.key();
    let new = Delivery {
        previous: vec![(key, tomorrow())],
        ..delivery(after, id)
    };
    assert_ne!(old.key(), new.key());
    (old, new)
}

async fn status_of<H: Harness>(h: &H, key: &Key) -> Option<(&'static str, u32)> {
    row(h.store(), key).await.map(|row| (row.0, row.1))
}

async fn what_was_done_under_the_previous_recipe_is_replayed<H: Harness>(h: &H) {
    for mode in MODES {
        let (old, new) = deliveries(mode, "done");
        let first = call::<H>(h.store(), &old).await.expect("it runs");
        for store in [h.store(), &h.stranger().await] {
            let told = call::<H>(store, &new).await.expect("it replays");
            assert!(told.is_replay(), "{told:?}");
            assert_eq!(
                told.answer()
                    .map(|a| (a.bytes(), a.fence(), a.completed_at())),
                first
                    .answer()
                    .map(|a| (a.bytes(), a.fence(), a.completed_at())),
            );
        }
        assert_eq!(status_of(h, &new.key()).await, None);
        // Without the overlap it would have been new work: the test can fail.
        let alone = Delivery {
            previous: Vec::new(),
            ..new.only([])
        };
        assert!(is_fresh(&call::<H>(h.store(), &alone).await));
    }
    assert_eq!(h.effects().await, 2);
}

async fn what_failed_under_the_previous_recipe_goes_on_there<H: Harness>(h: &H) {
    for mode in MODES {
        let (old, new) = deliveries(mode, "failed");
        let failing = old.clone().then(Step::Fail(Oops::TryAgain));
        assert!(call::<H>(h.store(), &failing).await.is_err());
        let failing = new.clone().then(Step::Fail(Oops::TryAgain));
        assert!(call::<H>(h.store(), &failing).await.is_err());
        assert_eq!(status_of(h, &old.key()).await, Some(("failed", 2)));
        let told = call::<H>(h.store(), &new).await;
        assert!(
            matches!(&told, Ok(Outcome::Fresh(answer)) if answer.attempt() == 3),
            "{told:?}"
        );
        assert_eq!(status_of(h, &old.key()).await, Some(("done", 3)));
        assert_eq!(status_of(h, &new.key()).await, None);
        assert!(is_replay(&call::<H>(h.store(), &new).await));
    }
    assert_eq!(h.effects().await, 2);
}

/// Starts a delivery whose handler waits; the notification lets it go on.
async fn at_work<H: Harness>(
    h: &H,
    delivery: &Delivery,
) -> (tokio::task::JoinHandle<Told>, Arc<Notify>) {
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let working = delivery
        .clone()
        .then(Step::Tell(Arc::clone(&begun)))
        .then(Step::Await(Arc::clone(&go_on)));
    let working = spawn::<H>(h.store(), &working);
    begun.notified().await;
    (working, go_on)
}

async fn who_works_under_the_previous_recipe_makes_the_key_busy<H: Harness>(h: &H) {
    for mode in MODES {
        let (old, new) = deliveries(mode, "busy");
        let (working, go_on) = at_work(h, &old).await;
        // SQLite's one writer is the handler's: whoever has to look waits for it, here not for long.
        let stranger = h.stranger().await;
        let told = call::<H>(&stranger, &new).await;
        assert!(is_busy(&told), "{told:?}");
        go_on.notify_one();
        assert!(is_fresh(&working.await.expect("it ends")));
        assert!(is_replay(&call::<H>(&stranger, &new).await));
    }
    assert_eq!(h.effects().await, 2);
}

async fn who_works_under_the_present_recipe_makes_the_key_busy_for_an_old_program<H: Harness>(
    h: &H,
) {
    // A leased claim is a row under the present key, of which an old program knows nothing.
    let (old, new) = deliveries(Mode::Fused, "new at work");
    let (working, go_on) = at_work(h, &new).await;
    let told = call::<H>(&h.stranger().await, &old).await;
    assert!(is_busy(&told), "{told:?}");
    go_on.notify_one();
    assert!(is_fresh(&working.await.expect("it ends")));
    assert_eq!(h.effects().await, 1);
}

async fn a_doubtful_end_under_the_previous_recipe_is_a_persons_case<H: Harness>(h: &H) {
    for mode in MODES {
        let (old, new) = deliveries(mode, "doubt");
        let doubtful = old.then(Step::Fail(Oops::WhoKnows));
        let told = call::<H>(h.store(), &doubtful).await;
        assert!(matches!(told, Err(Error::Unknown(_))), "{told:?}");
        let told = call::<H>(h.store(), &new).await;
        assert!(matches!(told, Ok(Outcome::Ambiguous { .. })), "{told:?}");
    }
    assert_eq!(h.effects().await, 0);
}

async fn another_request_under_the_previous_recipe_is_a_mismatch<H: Harness>(h: &H) {
    for mode in MODES {
        let (old, new) = deliveries(mode, "other");
        assert!(is_fresh(&call::<H>(h.store(), &old).await));
        let told = call::<H>(h.store(), &new.body("11")).await;
        let Ok(Outcome::Mismatch { fields }) = told else {
            panic!("{told:?}");
        };
        assert_eq!(fields, ["amount"]);
    }
    assert_eq!(h.effects().await, 2);
}

async fn a_race_during_the_overlap_has_one_winner<H: Harness>(h: &H) {
    for mode in MODES {
        for failed_before in [false, true] {
            let (old, new) = deliveries(mode, &format!("race {failed_before}"));
            if failed_before {
                let failing = old.then(Step::Fail(Oops::TryAgain));
                assert!(call::<H>(h.store(), &failing).await.is_err());
            }
            let runs = Arc::new(AtomicU32::new(0));
            let new = new.then(Step::Count(Arc::clone(&runs)));
            let strangers = [h.stranger().await, h.stranger().await];
            let calls: Vec<_> = (0..8)
                .map(|at| {
                    let (store, new) = (strangers[at % 2].clone(), new.clone());
                    tokio::spawn(async move { until_told::<H>(&store, &new).await })
                })
                .collect();
            let mut fresh = 0;
            for call in calls {
                let told = call.await.expect("a caller ends");
                assert!(is_fresh(&told) || is_replay(&told), "{told:?}");
                fresh += u32::from(is_fresh(&told));
            }
            assert_eq!((fresh, runs.load(Ordering::SeqCst)), (1, 1), "{mode:?}");
        }
    }
    assert_eq!(h.effects().await, 4);
}

async fn an_overlap_that_is_over_is_looked_at_no_more<H: Harness>(h: &H) {
    for mode in MODES {
        let (old, new) = deliveries(mode, "over");
        assert!(is_fresh(&call::<H>(h.store(), &old.only([])).await));
        let late = Delivery {
            previous: vec![(
                new.previous[0].0.clone(),
                SystemTime::now() - Duration::from_secs(1),
            )],
            ..new
        };
        assert!(is_fresh(&call::<H>(h.store(), &late).await));
    }
    assert_eq!(h.effects().await, 2);
}

async fn a_row_past_its_window_is_no_row_during_an_overlap_either<H: Harness>(h: &H) {
    for mode in MODES {
        let (old, new) = deliveries(mode, "expired");
        assert!(is_fresh(&call::<H>(h.store(), &old.clone().only([])).await));
        h.age(Duration::from_secs(3601)).await;
        let told = call::<H>(h.store(), &new).await;
        assert!(
            matches!(&told, Ok(Outcome::Fresh(answer)) if answer.attempt() == 1),
            "{told:?}"
        );
        assert_eq!(status_of(h, &new.key()).await, Some(("done", 1)));
    }
    assert_eq!(h.effects().await, 2);
}

async fn an_end_under_one_recipe_outweighs_a_failure_under_the_other<H: Harness>(h: &H) {
    for mode in MODES {
        let (old, new) = deliveries(mode, "both");
        let alone = Delivery {
            previous: Vec::new(),
            ..new.clone()
        };
        let failing = alone.then(Step::Fail(Oops::TryAgain));
        assert!(call::<H>(h.store(), &failing).await.is_err());
        assert!(is_fresh(&call::<H>(h.store(), &old).await));
        assert_eq!(status_of(h, &new.key()).await, Some(("failed", 1)));
        let told = call::<H>(h.store(), &new).await;
        assert!(is_replay(&told), "{told:?}");
    }
    assert_eq!(h.effects().await, 2);
}
