//! What a person can do about an operation, and what that means for the deliveries after it.

use std::time::Duration;

use idem::claim::Status;
use idem::desk::{Act, Change, Desk as _, Entry, Filter, GivenResult, Settled, find, settle, show};
use idem::store::{Claimed, Held, Remains, Store as _};
use idem::{Error, Mode, Outcome};

use super::harness::{Harness, against_every_store, row};
use super::script::*;

against_every_store! {
    work_resolved_as_done_is_replayed_without_its_result,
    work_resolved_as_done_with_a_result_replays_those_bytes,
    work_resolved_as_failed_may_be_tried_again,
    a_retry_grants_one_more_attempt_and_a_new_letter_when_that_fails,
    a_forgotten_key_is_new_work_under_a_higher_fence,
    a_row_that_changed_meanwhile_is_left_alone,
    an_attempt_at_work_is_left_alone,
    a_change_shuts_out_whoever_had_the_claim,
    what_makes_no_sense_is_refused,
    a_list_is_what_was_asked_for,
    a_settled_result_is_forgotten_at_the_end_of_its_window,
}

async fn entry<H: Harness>(h: &H, delivery: &Delivery) -> Entry {
    let found = find(h.store(), delivery.key().as_str()).await;
    found.expect("it reads").expect("there is a row")
}

async fn made<H: Harness>(h: &H, seen: &Entry, change: &Change<'_>) -> Option<Entry> {
    let settled = settle(h.store(), seen, change, "ada@desk", "looked at the ledger").await;
    match settled.expect("it answers") {
        Settled::Made(now) => now,
        other @ (Settled::Refused(_) | Settled::Changed(_)) => panic!("{other:?}"),
    }
}

/// An operation of which nobody knows.
async fn ambiguous<H: Harness>(h: &H, mode: Mode, id: &'static str) -> Delivery {
    let doubtful = delivery(workflow(mode, |w| w), id).then(Step::FailFirst(Oops::WhoKnows));
    let told = call::<H>(h.store(), &doubtful).await;
    assert!(matches!(told, Err(Error::Unknown(_))), "{told:?}");
    doubtful
}

async fn exhausted<H: Harness>(h: &H, mode: Mode, id: &'static str) -> Delivery {
    let failing =
        delivery(workflow(mode, |w| w.max_attempts(1)), id).only([Step::Fail(Oops::TryAgain)]);
    assert!(call::<H>(h.store(), &failing).await.is_err());
    failing
}

async fn work_resolved_as_done_is_replayed_without_its_result<H: Harness>(h: &H) {
    for (mode, id) in [(Mode::Fused, "fused"), (Mode::Leased, "leased")] {
        let case = ambiguous(h, mode, id).await;
        let seen = entry(h, &case).await;
        assert!(seen.letter.is_some(), "{seen:?}");
        let now = made(h, &seen, &Change::Done(None)).await.expect("a row");
        assert_eq!((now.status, now.letter), (Status::Done, None));
        assert!(now.expires_at.is_some(), "the window runs from now");
        let told = call::<H>(h.store(), &case).await;
        assert!(matches!(told, Ok(Outcome::Tombstone { .. })), "{told:?}");
        let file = show(h.store(), &seen.key)
            .await
            .expect("it reads")
            .expect("a file");
        assert_eq!(file.letters.len(), 1);
        assert!(file.letters[0].settled_at.is_some());
        let [settlement] = file.settlements.as_slice() else {
            panic!("{file:?}");
        };
        assert_eq!(settlement.by, "ada@desk");
        assert_eq!(settlement.note, "looked at the ledger");
        assert_eq!(settlement.act, Act::Resolve);
        assert_eq!(settlement.old, Status::Ambiguous);
        assert_eq!(settlement.new, Some(Status::Done));
        assert_eq!(settlement.fence, seen.fence);
    }
    let waiting = h
        .store()
        .list(&Filter::new().dead())
        .await
        .expect("it lists");
    assert_eq!(waiting, []);
    assert_eq!(h.effects().await, 0);
}

async fn work_resolved_as_done_with_a_result_replays_those_bytes<H: Harness>(h: &H) {
    let case = ambiguous(h, Mode::Leased, "one").await;
    let bytes = br#"  "refunded by hand""#;
    let given = GivenResult { bytes, version: 1 };
    made(h, &entry(h, &case).await, &Change::Done(Some(given))).await;
    let told = call::<H>(h.store(), &case).await;
    let Ok(Outcome::Replay(answer)) = told else {
        panic!("{told:?}");
    };
    assert_eq!(answer.value, "refunded by hand");
    assert_eq!(answer.bytes(), bytes);
}

async fn work_resolved_as_failed_may_be_tried_again<H: Harness>(h: &H) {
    for (mode, id) in [(Mode::Fused, "fused"), (Mode::Leased, "leased")] {
        let case = ambiguous(h, mode, id).await;
        made(h, &entry(h, &case).await, &Change::Failed).await;
        let told = call::<H>(h.store(), &case).await;
        assert!(
            matches!(&told, Ok(Outcome::Fresh(answer)) if answer.attempt() == 2),
            "{told:?}"
        );
    }
    assert_eq!(h.effects().await, 2);
}

async fn a_retry_grants_one_more_attempt_and_a_new_letter_when_that_fails<H: Harness>(h: &H) {
    for (mode, id) in [(Mode::Fused, "fused"), (Mode::Leased, "leased")] {
        let case = exhausted(h, mode, id).await;
        let told = call::<H>(h.store(), &case).await;
        assert!(matches!(told, Ok(Outcome::Exhausted { .. })), "{told:?}");
        made(h, &entry(h, &case).await, &Change::Retry).await;
        let told = call::<H>(h.store(), &case).await;
        assert!(matches!(told, Err(Error::Failed(_))), "{told:?}");
        let letters = h
            .store()
            .letters(case.key().as_str())
            .await
            .expect("it reads");
        assert_eq!(letters.len(), 2, "{letters:?}");
        assert!(letters[0].settled_at.is_some() && letters[1].settled_at.is_none());
        made(h, &entry(h, &case).await, &Change::Retry).await;
        let works = delivery(case.workflow, id);
        assert!(is_fresh(&call::<H>(h.store(), &works).await));
    }
}

async fn a_forgotten_key_is_new_work_under_a_higher_fence<H: Harness>(h: &H) {
    for (mode, id) in [(Mode::Fused, "fused"), (Mode::Leased, "leased")] {
        let done = delivery(workflow(mode, |w| w), id).only([]);
        assert!(is_fresh(&call::<H>(h.store(), &done).await));
        let seen = entry(h, &done).await;
        let now = made(h, &seen, &Change::Forget).await.expect("a row");
        assert!(now.expired && now.result.is_none(), "{now:?}");
        let again = call::<H>(h.store(), &done.clone().body("11")).await;
        let Ok(Outcome::Fresh(answer)) = again else {
            panic!("{again:?}");
        };
        assert_eq!(answer.attempt(), 1);
        assert!(answer.fence() > now.fence);
    }
}

async fn a_row_that_changed_meanwhile_is_left_alone<H: Harness>(h: &H) {
    let case = ambiguous(h, Mode::Leased, "one").await;
    let seen = entry(h, &case).await;
    made(h, &seen, &Change::Failed).await;
    assert!(is_fresh(&call::<H>(h.store(), &case).await));
    let before = row(h.store(), &case.key()).await;
    for change in [Change::Done(None), Change::Failed, Change::Forget] {
        let settled = settle(h.store(), &seen, &change, "ada", "too late").await;
        let Ok(Settled::Changed(Some(now))) = settled else {
            panic!("{settled:?}");
        };
        assert_eq!(now.status, Status::Done);
    }
    assert_eq!(row(h.store(), &case.key()).await, before);
    let file = show(h.store(), &seen.key)
        .await
        .expect("it reads")
        .expect("a file");
    assert_eq!(
        file.settlements.len(),
        1,
        "what was refused is no settlement"
    );
}

async fn an_attempt_at_work_is_left_alone<H: Harness>(h: &H) {
    let leased = workflow(Mode::Leased, |w| w);
    let asked = request(leased, "one", "10");
    let Claimed::Won(claim) = h.store().claim(&asked).await.expect("it answers") else {
        panic!("the key is absent");
    };
    let seen = entry(h, &delivery(leased, "one")).await;
    for change in [
        Change::Done(None),
        Change::Failed,
        Change::Retry,
        Change::Forget,
    ] {
        let settled = settle(h.store(), &seen, &change, "ada", "impatient").await;
        assert!(matches!(settled, Ok(Settled::Refused(_))), "{settled:?}");
        let by_force = h.store().change(&seen, &change, "ada", "impatient").await;
        assert!(!by_force.expect("it answers"), "the statement refuses too");
    }
    let renewed = h.store().renew(&asked, &claim).await.expect("it answers");
    assert_eq!(renewed, Held::Yes(()));
}

async fn a_change_shuts_out_whoever_had_the_claim<H: Harness>(h: &H) {
    let leased = workflow(Mode::Leased, |w| w);
    let asked = request(leased, "one", "10");
    let Claimed::Won(claim) = h.store().claim(&asked).await.expect("it answers") else {
        panic!("the key is absent");
    };
    h.age(Duration::from_secs(61)).await;
    let seen = entry(h, &delivery(leased, "one")).await;
    made(h, &seen, &Change::Retry).await;
    let late = h.store().fail(&asked, &claim, Remains::Nothing).await;
    assert_eq!(late.expect("it answers"), Held::Lost);
    let late = h.store().renew(&asked, &claim).await;
    assert_eq!(late.expect("it answers"), Held::Lost);
}

async fn what_makes_no_sense_is_refused<H: Harness>(h: &H) {
    let done = delivery(workflow(Mode::Fused, |w| w), "done").only([]);
    assert!(is_fresh(&call::<H>(h.store(), &done).await));
    let doubtful = ambiguous(h, Mode::Leased, "doubtful").await;
    let failed = exhausted(h, Mode::Leased, "failed").await;
    for (case, change, why) in [
        (&done, Change::Done(None), "it is done"),
        (&done, Change::Failed, "it is done"),
        (&done, Change::Retry, "it is done"),
        (&doubtful, Change::Retry, "`resolve` it first"),
        (&failed, Change::Failed, "`retry` grants"),
    ] {
        let seen = entry(h, case).await;
        let settled = settle(h.store(), &seen, &change, "ada", "by mistake").await;
        let Ok(Settled::Refused(said)) = settled else {
            panic!("{settled:?}");
        };
        assert!(said.contains(why), "{said}");
        assert_eq!(entry(h, case).await.fence, seen.fence);
    }
}

async fn a_list_is_what_was_asked_for<H: Harness>(h: &H) {
    let done = delivery(workflow(Mode::Fused, |w| w), "done").only([]);
    assert!(is_fresh(&call::<H>(h.store(), &done).await));
    h.age(Duration::from_secs(600)).await;
    ambiguous(h, Mode::Leased, "young").await;
    let keys = async |filter: Filter| -> Vec<String> {
        let listed = h.store().list(&filter).await.expect("it lists");
        listed.into_iter().map(|entry| entry.key).collect()
    };
    let all = ["conformance:v1:done", "conformance:v1:young"];
    assert_eq!(keys(Filter::new()).await, all);
    assert_eq!(keys(Filter::new().workflow("conformance")).await, all);
    assert_eq!(keys(Filter::new().tenant("acme")).await, all);
    assert_eq!(keys(Filter::new().limit(1)).await, all[..1]);
    assert_eq!(keys(Filter::new().dead()).await, all[1..]);
    assert_eq!(keys(Filter::new().state(Status::Done)).await, all[..1]);
    let old = Duration::from_secs(300);
    assert_eq!(keys(Filter::new().older_than(old)).await, all[..1]);
    for none in [
        Filter::new().workflow("another"),
        Filter::new().tenant("another"),
        Filter::new().dead().older_than(old),
        Filter::new().key("conformance:v1:nobody"),
    ] {
        assert_eq!(keys(none).await, Vec::<String>::new());
    }
}

async fn a_settled_result_is_forgotten_at_the_end_of_its_window<H: Harness>(h: &H) {
    let case = ambiguous(h, Mode::Leased, "one").await;
    made(h, &entry(h, &case).await, &Change::Done(None)).await;
    h.age(Duration::from_secs(3599)).await;
    assert_eq!(h.store().sweep(10).await.expect("it sweeps"), 0);
    h.age(Duration::from_secs(2)).await;
    assert_eq!(h.store().sweep(10).await.expect("it sweeps"), 1);
    let file = show(h.store(), case.key().as_str())
        .await
        .expect("it reads");
    let file = file.expect("what people did outlives the row");
    assert_eq!((file.entry, file.settlements.len()), (None, 1));
}
