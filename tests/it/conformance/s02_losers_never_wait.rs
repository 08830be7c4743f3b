//! Sentence 2. A loser never waits on the winner's lock and never times out; it gets Busy at once, or the
//! winner's outcome within the bound that the contract allows.

use std::sync::Arc;
use std::time::Duration;

use idem::claim::ResultKind;
use idem::store::{Claimed, Completion, Store as _, TransactionalStore as _};
use idem::{Mode, Outcome};
use tokio::sync::Notify;

use super::harness::{Harness, Speaks, against_every_store, row};
use super::script::*;
use super::stores::Postgres;

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

/// An owner that stalls between its completion and its commit has the row, and nobody waits for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_takeover_does_not_wait_for_an_owner_that_stalls_before_its_commit() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    let leased = workflow(Mode::Leased, |w| w);
    let asked = request(leased, "one", "10");
    let Claimed::Won(claim) = h.store().claim(&asked).await.expect("it answers") else {
        panic!("the key is free");
    };
    h.age(Duration::from_secs(61)).await;
    let Claimed::Won(mut tx) = h.store().begin(&asked, &claim).await.expect("it begins") else {
        panic!("a transaction can be had");
    };
    let completion = Completion {
        kind: ResultKind::Value,
        bytes: Some(b"\"slow\""),
        version: 1,
    };
    let completed = h.store().complete_in(&mut tx, &asked, &claim, completion);
    completed.await.expect("it is not committed");
    // The stalled owner goes on only afterwards: an answer did not wait for it.
    for _ in 0..3 {
        let told = call::<Postgres>(h.store(), &delivery(leased, "one")).await;
        assert!(is_busy(&told), "{told:?}");
    }
    h.store().rollback(tx).await.expect("it rolls back");
    let told = call::<Postgres>(h.store(), &delivery(leased, "one")).await;
    assert!(
        matches!(&told, Ok(Outcome::Fresh(answer)) if answer.attempt() == 2),
        "{told:?}"
    );
    h.close().await;
}

/// A claim that is decided but not committed yet, as with a slow disk or a replica that is waited for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leased_claim_does_not_wait_for_another_that_is_not_committed() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    h.sql(
        "create function stall() returns trigger language plpgsql as $$
         begin perform pg_advisory_xact_lock_shared(hashtext(current_schema)); return new; end $$;
         create trigger stall before insert on processed_operations
         for each row execute function stall()",
    )
    .await;
    let mut operator = h.store().pool().begin().await.expect("it begins");
    sqlx::query("select pg_advisory_xact_lock(hashtext(current_schema))")
        .execute(&mut *operator)
        .await
        .expect("the triggers wait from now on");
    let one = delivery(workflow(Mode::Leased, |w| w), "one");
    let first = spawn::<Postgres>(h.store(), &one);
    loop {
        let waiting: i64 = sqlx::query_scalar(
            "select count(*) from pg_stat_activity where wait_event_type = 'Lock'
             and application_name = current_setting('application_name')",
        )
        .fetch_one(h.store().pool())
        .await
        .expect("a count");
        if waiting > 0 {
            break;
        }
    }
    let told = call::<Postgres>(h.store(), &one).await;
    assert!(is_busy(&told), "{told:?}");
    operator.rollback().await.expect("the triggers go on");
    assert!(is_fresh(&first.await.expect("the first ends")));
    h.close().await;
}
