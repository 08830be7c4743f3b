//! Sentence 1. Of any number of concurrent claims of one key exactly one is Won.

use std::sync::Arc;

use idem::Outcome;
use idem::claim::{Decision, Told as Answer, decide};
use idem::store::{Claimed, Remains, Store as _, TransactionalStore as _};
use tokio::sync::Barrier;

use super::harness::{Harness, against_every_store};
use super::script::*;

against_every_store! {
    of_2_8_and_50_callers_one_does_the_work_and_nobody_sees_an_error,
    of_two_bodies_under_one_key_one_takes_effect,
    strangers_race_for_a_key_as_threads_do,
    the_statement_that_claims_agrees_with_the_table_of_states,
    a_lost_race_for_an_expired_key_has_one_winner_too,
}

async fn of_2_8_and_50_callers_one_does_the_work_and_nobody_sees_an_error<H: Harness>(h: &H) {
    let mut effects = 0;
    for mode in MODES {
        for (callers, id) in [(2, "two"), (8, "eight"), (50, "fifty")] {
            let id = if mode == idem::Mode::Fused {
                id
            } else {
                leased_name(id)
            };
            let delivery = delivery(workflow(mode, |w| w), id);
            let told = race::<H>(&vec![h.store().clone(); callers], &delivery).await;
            assert_eq!(
                told.iter().filter(|told| is_fresh(told)).count(),
                1,
                "{told:?}"
            );
            let replays = told.iter().filter(|told| is_replay(told)).count();
            assert_eq!(replays, callers - 1, "{told:?}");
            effects += 1;
            assert_eq!(h.effects().await, effects);
        }
    }
}

fn leased_name(id: &str) -> &'static str {
    match id {
        "two" => "leased two",
        "eight" => "leased eight",
        _ => "leased fifty",
    }
}

/// All callers set out together, each on its store, and ask until they are told an end.
async fn race<H: Harness>(stores: &[H::Store], delivery: &Delivery) -> Vec<Told> {
    let start = Arc::new(Barrier::new(stores.len()));
    let callers: Vec<_> = stores
        .iter()
        .cloned()
        .map(|store| {
            let (start, delivery) = (Arc::clone(&start), delivery.clone());
            tokio::spawn(async move {
                start.wait().await;
                until_told::<H>(&store, &delivery).await
            })
        })
        .collect();
    let mut told = Vec::new();
    for caller in callers {
        told.push(caller.await.expect("a caller ends"));
    }
    told
}

async fn strangers_race_for_a_key_as_threads_do<H: Harness>(h: &H) {
    let strangers = [h.store().clone(), h.stranger().await, h.stranger().await];
    for mode in MODES {
        let id = if mode == idem::Mode::Fused {
            "fused"
        } else {
            "leased"
        };
        let told = race::<H>(&strangers, &delivery(workflow(mode, |w| w), id)).await;
        assert_eq!(
            told.iter().filter(|told| is_fresh(told)).count(),
            1,
            "{told:?}"
        );
        assert_eq!(
            told.iter().filter(|told| is_replay(told)).count(),
            2,
            "{told:?}"
        );
    }
    assert_eq!(h.effects().await, 2);
}

async fn of_two_bodies_under_one_key_one_takes_effect<H: Harness>(h: &H) {
    for mode in MODES {
        let (id, names) = match mode {
            idem::Mode::Fused => ("fused", ["fused ten", "fused twenty"]),
            idem::Mode::Leased => ("leased", ["leased ten", "leased twenty"]),
        };
        let before = h.effects().await;
        let one = delivery(workflow(mode, |w| w), id);
        let ten = one.clone().body("10").only([Step::Put(names[0])]);
        let twenty = one.body("20").only([Step::Put(names[1])]);
        let store = h.store();
        let (first, second) = tokio::join!(
            until_told::<H>(store, &ten),
            until_told::<H>(store, &twenty)
        );
        let mismatches = [&first, &second]
            .into_iter()
            .filter(
                |told| matches!(told, Ok(Outcome::Mismatch { fields }) if fields == &["amount"]),
            )
            .count();
        assert_eq!(mismatches, 1, "{first:?} {second:?}");
        assert!(
            is_fresh(&first) || is_fresh(&second),
            "{first:?} {second:?}"
        );
        assert_eq!(h.effects().await, before + 1);
    }
}

async fn a_lost_race_for_an_expired_key_has_one_winner_too<H: Harness>(h: &H) {
    for mode in MODES {
        let id = if mode == idem::Mode::Fused {
            "fused"
        } else {
            "leased"
        };
        let old = delivery(workflow(mode, |w| w), id).only([]);
        assert!(is_fresh(&call::<H>(h.store(), &old).await));
        h.age(std::time::Duration::from_secs(3601)).await;
        let before = h.effects().await;
        let told = race::<H>(&vec![h.store().clone(); 8], &delivery(old.workflow, id)).await;
        assert_eq!(
            told.iter().filter(|told| is_fresh(told)).count(),
            1,
            "{told:?}"
        );
        assert_eq!(h.effects().await, before + 1);
    }
}

/// Brings a key into every state there is, and claims it: by the pure function, by the leased
/// statement and by the fused transaction. All three say the same.
async fn the_statement_that_claims_agrees_with_the_table_of_states<H: Harness>(h: &H) {
    let hour = std::time::Duration::from_secs(3601);
    for (state, expected) in [
        ("absent", "won 1"),
        ("done", "replay"),
        ("failed", "won 2"),
        ("failed twice", "exhausted"),
        ("given back", "won 1"),
        ("in flight", "busy"),
        ("dead", "won 2"),
        ("dead twice", "exhausted"),
        ("ambiguous", "ambiguous"),
        ("done, expired", "won 1"),
        ("failed twice, expired", "won 1"),
        ("dead twice, expired", "exhausted"),
        ("ambiguous, expired", "ambiguous"),
    ] {
        for (body, other) in [("10", false), ("11", true)] {
            let leased = workflow(idem::Mode::Leased, |w| w.max_attempts(2));
            let fused = workflow(idem::Mode::Fused, |w| w.max_attempts(2));
            let id = format!("{state}, asked with {body}");
            let known = request(leased, &id, "10");
            reach(h, &known, state, hour).await;

            let expected = match expected {
                "won 2" | "exhausted" | "busy" | "replay" | "ambiguous" if other => "mismatch",
                "won 1" if other && state == "given back" => "mismatch",
                same => same,
            };
            let found = h.store().read(known.key()).await.expect("it reads");
            let found = found.map(|row| row.expect("it is whole"));
            let asked = request(leased, &id, body);
            assert_eq!(
                word(&decide(found.clone(), &asked)),
                expected,
                "{state}, decided"
            );

            let in_transaction = h.store().claim_in(&request(fused, &id, body)).await;
            match in_transaction.expect("the store answers") {
                Claimed::Won((tx, claim)) => {
                    assert_eq!(word(&Decision::Won(claim)), expected, "{state}, fused");
                    h.store().rollback(tx).await.expect("it rolls back");
                }
                Claimed::Told(told) => {
                    assert_eq!(word(&Decision::Told(told)), expected, "{state}, fused");
                }
            }
            let claimed = match h.store().claim(&asked).await.expect("the store answers") {
                Claimed::Won(claim) => {
                    h.store()
                        .release(&asked, &claim)
                        .await
                        .expect("it is released");
                    Decision::Won(claim)
                }
                Claimed::Told(told) => Decision::Told(told),
            };
            assert_eq!(word(&claimed), expected, "{state}, leased");
            if let (Decision::Won(claim), Some(found)) = (claimed, found) {
                assert!(claim.fence > found.fence, "{state}: the fence grows");
            }
        }
    }
}

async fn reach<H: Harness>(
    h: &H,
    known: &idem::store::Request,
    state: &str,
    hour: std::time::Duration,
) {
    let (state, expired) = match state.split_once(',') {
        Some((state, _)) => (state, true),
        None => (state, false),
    };
    let attempts = if state.ends_with("twice") { 2 } else { 1 };
    for attempt in 1..=attempts {
        if state == "absent" {
            break;
        }
        let Claimed::Won(claim) = h.store().claim(known).await.expect("the store answers") else {
            panic!("attempt {attempt} of {state} is not won");
        };
        assert_eq!(claim.attempt, attempt);
        match state {
            "done" => {
                let value = idem::store::Completion {
                    kind: idem::claim::ResultKind::Value,
                    bytes: Some(b"1"),
                    version: 1,
                };
                h.store()
                    .complete(known, &claim, value)
                    .await
                    .expect("it completes");
            }
            "failed" | "failed twice" => {
                h.store()
                    .fail(known, &claim, Remains::Nothing)
                    .await
                    .expect("it fails");
            }
            "ambiguous" => {
                let unknown = Remains::Unknown("a test said so");
                h.store()
                    .fail(known, &claim, unknown)
                    .await
                    .expect("it fails");
            }
            "given back" => {
                h.store()
                    .release(known, &claim)
                    .await
                    .expect("it is released");
            }
            "dead" | "dead twice" => h.age(std::time::Duration::from_secs(61)).await,
            _ => {}
        }
    }
    if expired {
        h.age(hour).await;
    }
}

fn word(decision: &Decision) -> String {
    match decision {
        Decision::Won(claim) => format!("won {}", claim.attempt),
        Decision::Told(Answer::Replay { .. }) => "replay".to_owned(),
        Decision::Told(Answer::Busy { .. }) => "busy".to_owned(),
        Decision::Told(Answer::Mismatch { .. }) => "mismatch".to_owned(),
        Decision::Told(Answer::Exhausted { .. }) => "exhausted".to_owned(),
        Decision::Told(Answer::Ambiguous { .. }) => "ambiguous".to_owned(),
        Decision::Told(Answer::Unreadable(error)) => format!("unreadable: {error}"),
    }
}
