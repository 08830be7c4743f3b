//! Sentence 19. A replayed result is byte for byte what the first attempt stored, and says that it is a
//! replay. Results carry a type version; one that no longer decodes is a clear error, not a rerun.

use std::time::SystemTime;

use idem::claim::ResultKind;
use idem::store::{Claimed, Completion, Store as _};
use idem::{Error, Mode, Outcome, StoredErrorKind};

use super::harness::{Harness, against_every_store};
use super::script::*;

against_every_store! {
    a_replay_has_the_first_answers_bytes_time_attempt_and_fence,
    bytes_are_kept_as_they_are,
    a_result_of_another_version_is_an_error_and_never_a_rerun,
    a_result_that_does_not_decode_is_an_error_and_never_a_rerun,
    a_replayed_refusal_says_that_it_is_one_and_since_when,
    a_tombstone_tells_the_retry_that_it_succeeded,
    a_result_over_the_limit_leaves_a_tombstone,
}

async fn a_replay_has_the_first_answers_bytes_time_attempt_and_fence<H: Harness>(h: &H) {
    for mode in MODES {
        let id = if mode == Mode::Fused {
            "fused"
        } else {
            "leased"
        };
        let one = delivery(workflow(mode, |w| w), id);
        let first = call::<H>(h.store(), &one).await.expect("it runs");
        let second = call::<H>(&h.stranger().await, &one)
            .await
            .expect("it replays");
        assert!(!first.is_replay() && second.is_replay());
        let (first, second) = (
            first.answer().expect("fresh"),
            second.answer().expect("replay"),
        );
        assert_eq!(first, second);
        assert_eq!(second.bytes(), format!("\"{id} done\"").as_bytes());
        let age = SystemTime::now()
            .duration_since(second.completed_at())
            .unwrap_or_default();
        assert!(age.as_secs() < 600, "{age:?}");
    }
}

/// Completes a key with these bytes, whatever they are.
async fn stored<H: Harness>(h: &H, id: &'static str, bytes: &[u8], version: u32) -> Delivery {
    let leased = workflow(Mode::Leased, |w| w);
    let asked = request(leased, id, "10");
    let Claimed::Won(claim) = h.store().claim(&asked).await.expect("it answers") else {
        panic!("the key is absent");
    };
    let value = Completion {
        kind: ResultKind::Value,
        bytes: Some(bytes),
        version,
    };
    h.store()
        .complete(&asked, &claim, value)
        .await
        .expect("it completes");
    delivery(leased, id)
}

async fn bytes_are_kept_as_they_are<H: Harness>(h: &H) {
    // Spaces, member order and escapes that a JSON column would rewrite.
    let odd: &[u8] = b"  \"caf\\u00e9 \\/ \"  ";
    let told = call::<H>(h.store(), &stored(h, "odd", odd, 1).await)
        .await
        .expect("it replays");
    let answer = told.answer().expect("it replays");
    assert_eq!(answer.bytes(), odd);
    assert_eq!(answer.value, "caf\u{e9} / ");
}

async fn a_result_of_another_version_is_an_error_and_never_a_rerun<H: Harness>(h: &H) {
    let told = call::<H>(h.store(), &stored(h, "other", b"\"x\"", 7).await).await;
    let Err(Error::Stored(error)) = told else {
        panic!("{told:?}");
    };
    let kind = StoredErrorKind::OtherResultVersion {
        stored: 7,
        expected: 1,
    };
    assert_eq!(error.kind(), &kind);
    assert!(error.to_string().contains("is not run again"), "{error}");
    assert_eq!(h.effects().await, 0);
}

async fn a_result_that_does_not_decode_is_an_error_and_never_a_rerun<H: Harness>(h: &H) {
    for (id, bytes) in [
        ("cut", b"\"4711".as_slice()),
        ("shape", b"{\"secret\":4711}"),
        ("not json", b"\xff\x00"),
        ("empty", b""),
    ] {
        let told = call::<H>(h.store(), &stored(h, id, bytes, 1).await).await;
        let Err(Error::Stored(error)) = told else {
            panic!("{told:?}");
        };
        assert!(
            matches!(error.kind(), StoredErrorKind::Undecodable { .. }),
            "{error}"
        );
        assert!(
            !error.to_string().contains("4711"),
            "values stay out of messages: {error}"
        );
    }
    assert_eq!(h.effects().await, 0);
}

async fn a_replayed_refusal_says_that_it_is_one_and_since_when<H: Harness>(h: &H) {
    for (mode, id) in [(Mode::Fused, "fused"), (Mode::Leased, "leased")] {
        // Whatever the contract keeps of values: a tombstone would say that the work succeeded.
        let refusing = workflow(mode, |w| w.keep_tombstone());
        let refused = delivery(refusing, id).then(Step::Fail(Oops::NotPaid));
        let mut times = Vec::new();
        for replay in [false, true] {
            let told = call::<H>(h.store(), &refused).await;
            let Err(Error::Refused {
                error: Oops::NotPaid,
                replayed,
                completed_at,
            }) = told
            else {
                panic!("{told:?}");
            };
            assert_eq!(replayed, replay);
            times.push(completed_at);
        }
        assert_eq!(times[0], times[1]);
    }
    assert_eq!(
        h.effects().await,
        0,
        "what a refused handler wrote is rolled back"
    );
}

async fn a_tombstone_tells_the_retry_that_it_succeeded<H: Harness>(h: &H) {
    for (mode, id) in [(Mode::Fused, "fused"), (Mode::Leased, "leased")] {
        let one = delivery(workflow(mode, |w| w.keep_tombstone()), id);
        let first = call::<H>(h.store(), &one).await.expect("it runs");
        let at = first
            .answer()
            .expect("the first caller has the value")
            .completed_at();
        let second = call::<H>(h.store(), &one).await.expect("it is known");
        assert_eq!(second, Outcome::Tombstone { completed_at: at });
    }
}

async fn a_result_over_the_limit_leaves_a_tombstone<H: Harness>(h: &H) {
    let small = workflow(Mode::Fused, |w| w.max_response_bytes(11));
    let short = delivery(small, "short");
    let long = delivery(small, "longer");
    for one in [&short, &long] {
        assert!(is_fresh(&call::<H>(h.store(), one).await));
    }
    let told = call::<H>(h.store(), &short).await;
    assert!(matches!(told, Ok(Outcome::Tombstone { .. })), "{told:?}");
    let fits = delivery(small, "a");
    assert!(is_fresh(&call::<H>(h.store(), &fits).await));
    assert!(is_replay(&call::<H>(h.store(), &fits).await));
    let told = call::<H>(h.store(), &long).await;
    assert!(matches!(told, Ok(Outcome::Tombstone { .. })), "{told:?}");
}
