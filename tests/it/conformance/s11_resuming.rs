//! Sentence 11. A workflow that writes to three systems and dies after the second resumes at the third.

use idem::{Error, Outcome};
use tokio::sync::Notify;

use super::harness::{Outside, against_every_store, row};
use super::outside::*;
use super::script::*;

against_every_store! {
    three_systems_are_called_once_each_and_replays_call_nobody,
    whoever_dies_after_the_second_system_resumes_at_the_third,
    a_failure_after_the_second_system_resumes_at_the_third,
    a_recorded_result_is_what_the_closure_had_returned,
    the_providers_key_is_the_same_on_every_attempt,
    a_lost_answer_is_asked_for_again_with_the_same_key,
    a_recorded_result_that_does_not_decode_is_an_error_and_never_a_second_call,
}

async fn three_systems_are_called_once_each_and_replays_call_nobody<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w), World::default());
    let told = deliver::<H>(h.store(), flow, &world, "one").await;
    let Ok(Outcome::Fresh(fresh)) = told else {
        panic!("{told:?}");
    };
    assert_eq!(
        fresh.value,
        "provider-refund no. 1, warehouse-call no. 1, receipt-mail no. 1"
    );
    let told = deliver::<H>(h.store(), flow, &world, "one").await;
    assert!(is_replay(&told), "{told:?}");
    assert_eq!(world.happened(), [REFUND, SHIP, MAIL]);
    assert_eq!(h.effects().await, 1);
}

async fn whoever_dies_after_the_second_system_resumes_at_the_third<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w), World::default());
    let asked = request(flow, "one", "10");
    // What is dropped without a trace is as dead as a killed process: its claim was never given back.
    let second = Notify::new();
    let dead = deliver_to::<H, _>(h.store(), &asked, async |op: &mut Op<'_, H>| {
        let _: String = op.step(REFUND, |key| world.call(REFUND, key)).await?;
        let _: String = op.remote(SHIP, || world.call(SHIP, "")).await?;
        second.notify_one();
        std::future::pending().await
    });
    tokio::select! {
        told = dead => panic!("{told:?}"),
        () = second.notified() => {}
    }
    let (status, attempt, _) = row(h.store(), asked.key()).await.expect("a row");
    assert_eq!((status, attempt), ("in_flight", 1));
    assert!(is_busy(&deliver::<H>(h.store(), flow, &world, "one").await));
    h.age(2 * MINUTE).await;
    let told = deliver::<H>(h.store(), flow, &world, "one").await;
    assert!(
        matches!(&told, Ok(Outcome::Fresh(answer)) if answer.attempt() == 2),
        "{told:?}"
    );
    assert_eq!(world.happened(), [REFUND, SHIP, MAIL]);
    assert_eq!(h.effects().await, 1);
}

async fn a_failure_after_the_second_system_resumes_at_the_third<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w), World::default());
    world.expect(MAIL, Does::Refuses(Oops::TryAgain));
    let told = deliver::<H>(h.store(), flow, &world, "one").await;
    assert!(
        matches!(told, Err(Error::Failed(Oops::TryAgain))),
        "{told:?}"
    );
    let told = deliver::<H>(h.store(), flow, &world, "one").await;
    assert!(
        matches!(&told, Ok(Outcome::Fresh(answer)) if answer.attempt() == 2),
        "{told:?}"
    );
    assert_eq!(world.happened(), [REFUND, SHIP, MAIL]);
    assert_eq!(
        (world.calls(REFUND), world.calls(SHIP), world.calls(MAIL)),
        (1, 1, 2)
    );
}

async fn a_recorded_result_is_what_the_closure_had_returned<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w), World::default());
    for id in ["one", "two"] {
        world.expect(MAIL, Does::Refuses(Oops::TryAgain));
        let told = deliver::<H>(h.store(), flow, &world, id).await;
        assert!(matches!(told, Err(Error::Failed(_))), "{told:?}");
    }
    let told = deliver::<H>(h.store(), flow, &world, "one").await;
    let value = told.expect("it is done").into_value();
    let first = "provider-refund no. 1, warehouse-call no. 1, receipt-mail no. 3";
    assert_eq!(value.as_deref(), Some(first));
}

async fn the_providers_key_is_the_same_on_every_attempt<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w), World::default());
    world.expect(REFUND, Does::Refuses(Oops::TryAgain));
    let told = deliver::<H>(h.store(), flow, &world, "one").await;
    assert!(matches!(told, Err(Error::Failed(_))), "{told:?}");
    assert!(is_fresh(
        &deliver::<H>(h.store(), flow, &world, "one").await
    ));
    assert!(is_fresh(
        &deliver::<H>(h.store(), flow, &world, "two").await
    ));
    let keys = world.keys(REFUND);
    let derived = |id| idem::provider_key(&key_of(flow, id), REFUND);
    assert_eq!(keys, [derived("one"), derived("one"), derived("two")]);
    assert!(keys.iter().all(|key| key.len() <= 255));
}

async fn a_lost_answer_is_asked_for_again_with_the_same_key<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w), World::default());
    world.expect(REFUND, Does::LosesTheAnswer(Oops::WhoKnows));
    assert!(is_fresh(
        &deliver::<H>(h.store(), flow, &world, "one").await
    ));
    let keys = world.keys(REFUND);
    assert_eq!(keys.len(), 2);
    assert_eq!(keys[0], keys[1]);
}

async fn a_recorded_result_that_does_not_decode_is_an_error_and_never_a_second_call<H: Outside>(
    h: &H,
) {
    let (flow, world) = (three_systems(|w| w), World::default());
    let asked = request(flow, "one", "10");
    world.expect(SHIP, Does::Refuses(Oops::TryAgain));
    let told = deliver::<H>(h.store(), flow, &world, "one").await;
    assert!(matches!(told, Err(Error::Failed(_))), "{told:?}");
    let told = deliver_to::<H, _>(h.store(), &asked, async |op: &mut Op<'_, H>| {
        let count: u64 = op
            .step(REFUND, |_| std::future::ready(Err::<u64, _>(Oops::NotPaid)))
            .await?;
        Ok(count.to_string())
    })
    .await;
    let Err(Error::Stored(error)) = told else {
        panic!("{told:?}");
    };
    assert!(error.to_string().contains(REFUND), "{error}");
    assert!(!error.to_string().contains("no. 1"), "{error}");
}
