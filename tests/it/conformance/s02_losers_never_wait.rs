//! Sentence 2. A loser never waits on the winner's lock and never times out; it gets Busy at once, or the
//! winner's outcome within the bound that the contract allows.

use std::sync::Arc;
use std::time::Duration;

use idem::{Mode, Outcome};
use tokio::sync::Notify;

use super::harness::{Harness, Speaks, against_every_store, row};
use super::script::*;

against_every_store! {
    a_loser_is_told_busy_while_the_winner_works,
    a_loser_in_another_process_is_told_busy_too,
    a_waiting_loser_gets_the_winners_outcome,
    a_waiting_loser_is_told_busy_when_its_bound_is_over,
    other_keys_are_not_held_up,
    a_busy_answer_says_what_is_left_of_the_lease,
}

/// Starts a winner whose handler waits; the second notification lets it go on.
async fn winner_at_work<H: Harness>(
    h: &H,
    delivery: &Delivery,
) -> (tokio::task::JoinHandle<Told>, Arc<Notify>) {
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let working = delivery
        .clone()
        .then(Step::Tell(Arc::clone(&begun)))
        .then(Step::Await(Arc::clone(&go_on)));
    let winner = spawn::<H>(h.store(), &working);
    begun.notified().await;
    (winner, go_on)
}

async fn a_loser_is_told_busy_while_the_winner_works<H: Harness>(h: &H) {
    for mode in MODES {
        let id = if mode == Mode::Fused {
            "fused"
        } else {
            "leased"
        };
        let delivery = delivery(workflow(mode, |w| w), id);
        let (winner, go_on) = winner_at_work(h, &delivery).await;
        for _ in 0..5 {
            // The winner works until it is told to go on: an answer before that did not wait.
            let told = call::<H>(h.store(), &delivery).await;
            assert!(is_busy(&told), "{told:?}");
        }
        go_on.notify_one();
        assert!(is_fresh(&winner.await.expect("the winner ends")));
        let told = call::<H>(h.store(), &delivery).await;
        assert!(is_replay(&told), "{told:?}");
    }
    assert_eq!(h.effects().await, 2);
}

async fn a_loser_in_another_process_is_told_busy_too<H: Harness>(h: &H) {
    let stranger = h.stranger().await;
    for mode in MODES {
        let id = if mode == Mode::Fused {
            "fused"
        } else {
            "leased"
        };
        let delivery = delivery(workflow(mode, |w| w), id);
        let (winner, go_on) = winner_at_work(h, &delivery).await;
        let told = call::<H>(&stranger, &delivery).await;
        assert!(is_busy(&told), "{told:?}");
        go_on.notify_one();
        assert!(is_fresh(&winner.await.expect("the winner ends")));
        assert!(is_replay(&call::<H>(&stranger, &delivery).await));
    }
}

async fn a_waiting_loser_gets_the_winners_outcome<H: Harness>(h: &H) {
    for mode in MODES {
        let id = if mode == Mode::Fused {
            "fused"
        } else {
            "leased"
        };
        let delivery = delivery(workflow(mode, |w| w.busy_wait_ms(60_000)), id);
        let (winner, go_on) = winner_at_work(h, &delivery).await;
        let loser = spawn::<H>(h.store(), &delivery);
        tokio::task::yield_now().await;
        go_on.notify_one();
        assert!(is_fresh(&winner.await.expect("the winner ends")));
        let told = loser.await.expect("the loser ends");
        assert!(is_replay(&told), "{told:?}");
    }
}

async fn a_waiting_loser_is_told_busy_when_its_bound_is_over<H: Harness>(h: &H) {
    let delivery = delivery(workflow(Mode::Fused, |w| w.busy_wait_ms(30)), "fused");
    let (winner, go_on) = winner_at_work(h, &delivery).await;
    let told = call::<H>(h.store(), &delivery).await;
    assert!(is_busy(&told), "{told:?}");
    go_on.notify_one();
    assert!(is_fresh(&winner.await.expect("the winner ends")));
}

async fn other_keys_are_not_held_up<H: Harness>(h: &H) {
    let fused = workflow(Mode::Fused, |w| w);
    let (winner, go_on) = winner_at_work(h, &delivery(fused, "one")).await;
    if H::SPEAKS == Speaks::Sqlite {
        // One writer for the whole database: what does not wait for it are replays and losers.
        let told = call::<H>(&h.stranger().await, &delivery(fused, "two")).await;
        assert!(is_busy(&told), "{told:?}");
    } else {
        assert!(is_fresh(
            &call::<H>(h.store(), &delivery(fused, "two")).await
        ));
    }
    go_on.notify_one();
    assert!(is_fresh(&winner.await.expect("the winner ends")));
}

async fn a_busy_answer_says_what_is_left_of_the_lease<H: Harness>(h: &H) {
    let leased = workflow(Mode::Leased, |w| w);
    let delivery = delivery(leased, "leased");
    let (winner, go_on) = winner_at_work(h, &delivery).await;
    if H::SPEAKS != Speaks::Sqlite {
        h.age(Duration::from_secs(40)).await;
    }
    let told = call::<H>(h.store(), &delivery).await;
    let Ok(Outcome::Busy { retry_after }) = told else {
        panic!("{told:?}");
    };
    assert!(retry_after <= Duration::from_secs(60), "{retry_after:?}");
    if H::SPEAKS != Speaks::Sqlite {
        assert!(retry_after <= Duration::from_secs(20), "{retry_after:?}");
    }
    assert!(retry_after > Duration::from_secs(10), "{retry_after:?}");
    go_on.notify_one();
    assert!(is_fresh(&winner.await.expect("the winner ends")));
    let (status, ..) = row(h.store(), &delivery.key())
        .await
        .expect("the row is there");
    assert_eq!(status, "done");
}
