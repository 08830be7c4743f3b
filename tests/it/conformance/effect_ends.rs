//! How an attempt ends whose effect outside did not simply succeed: every class of error, no answer, a
//! panic, a hang-up, a lost claim.

use std::time::Duration;

use idem::claim::Told as Claimed;
use idem::store::Store as _;
use idem::{Error, Mode, Outcome, StoreErrorKind, Workflow};
use tokio::sync::Notify;

use super::harness::{Outside, Speaks, against_every_store, row};
use super::outside::*;
use super::script::*;

against_every_store! {
    a_keyed_effect_without_an_answer_is_called_as_often_as_declared_and_again_by_a_retry,
    an_unkeyed_effect_without_an_answer_is_called_once_and_is_ambiguous,
    an_unkeyed_effect_whose_answer_is_lost_is_ambiguous_whatever_the_handler_makes_of_it,
    a_final_refusal_of_an_effect_is_the_operations_result,
    a_refusal_after_a_lost_answer_does_not_prove_that_nothing_happened,
    a_takeover_needs_a_key_that_its_provider_knows_until_the_end_of_its_lease,
    a_panic_in_an_unkeyed_effect_is_ambiguous_and_in_a_keyed_one_a_retry,
    a_handler_that_does_not_wait_for_an_effect_is_stopped,
    a_dropped_caller_in_mid_effect_leaves_the_row_to_its_lease,
    a_dropped_caller_before_any_effect_gives_its_claim_back,
    an_effect_that_outlives_the_lease_ends_the_attempt,
    the_lease_is_renewed_while_an_effect_takes_its_time,
    what_the_contract_does_not_declare_is_not_performed,
    an_effect_needs_a_claim_that_a_crash_does_not_undo,
    an_effect_is_performed_once_within_one_attempt,
    ; databases:
    a_claim_lost_in_mid_effect_commits_nothing,
    an_effect_that_cannot_be_said_to_begin_is_not_performed,
    an_irreversible_effect_that_cannot_be_recorded_is_ambiguous,
}

async fn status<H: Outside>(h: &H, flow: &'static Workflow, id: &str) -> (&'static str, u32) {
    let (status, attempt, _) = row(h.store(), &key_of(flow, id)).await.expect("a row");
    (status, attempt)
}

fn is_ambiguous(told: &Told, effect: &str) -> bool {
    matches!(told, Ok(Outcome::Ambiguous { reason }) if reason.contains(effect))
}

async fn a_keyed_effect_without_an_answer_is_called_as_often_as_declared_and_again_by_a_retry<
    H: Outside,
>(
    h: &H,
) {
    let (flow, world) = (impatient(), World::default());
    for _ in 0..3 {
        world.expect(REFUND, Does::NeverAnswers);
    }
    let told = deliver::<H>(h.store(), flow, &world, "one").await;
    assert!(
        matches!(told, Err(Error::Unanswered { effect: REFUND })),
        "{told:?}"
    );
    assert_eq!(world.calls(REFUND), 3);
    assert!(is_fresh(
        &deliver::<H>(h.store(), flow, &world, "one").await
    ));
    let keys = world.keys(REFUND);
    assert_eq!(keys.len(), 4);
    assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
    assert_eq!(status(h, flow, "one").await, ("done", 2));
    assert_eq!(h.effects().await, 1);
}

async fn an_unkeyed_effect_without_an_answer_is_called_once_and_is_ambiguous<H: Outside>(h: &H) {
    for effect in [SHIP, MAIL] {
        let (flow, world) = (impatient(), World::default());
        world.expect(effect, Does::NeverAnswers);
        for _ in 0..2 {
            let told = deliver::<H>(h.store(), flow, &world, effect).await;
            assert!(is_ambiguous(&told, effect), "{told:?}");
        }
        assert_eq!(world.calls(effect), 1);
        assert_eq!(status(h, flow, effect).await, ("ambiguous", 1));
        assert_eq!(h.effects().await, 0);
    }
}

async fn an_unkeyed_effect_whose_answer_is_lost_is_ambiguous_whatever_the_handler_makes_of_it<
    H: Outside,
>(
    h: &H,
) {
    for (id, made_of_it) in [
        ("unknown", Oops::WhoKnows),
        ("no effect", Oops::TryAgain),
        ("final", Oops::NotPaid),
    ] {
        let (flow, world) = (three_systems(|w| w), World::default());
        world.expect(MAIL, Does::LosesTheAnswer(Oops::WhoKnows));
        let asked = request(flow, id, "10");
        let told = deliver_to::<H, _>(h.store(), &asked, async |op: &mut Op<'_, H>| {
            op.irreversible(MAIL, || world.call(MAIL, ""))
                .await
                .map_err(|_| made_of_it)
        })
        .await;
        assert!(
            matches!(&told, Err(Error::Unknown(error)) if *error == made_of_it),
            "{told:?}"
        );
        assert_eq!(status(h, flow, id).await, ("ambiguous", 1));
        let told = deliver::<H>(h.store(), flow, &world, id).await;
        assert!(is_ambiguous(&told, MAIL), "{told:?}");
        assert_eq!(world.calls(MAIL), 1);
    }
}

async fn a_final_refusal_of_an_effect_is_the_operations_result<H: Outside>(h: &H) {
    for effect in [REFUND, SHIP, MAIL] {
        let (flow, world) = (three_systems(|w| w), World::default());
        world.expect(effect, Does::Refuses(Oops::NotPaid));
        for replay in [false, true] {
            let told = deliver::<H>(h.store(), flow, &world, effect).await;
            assert!(
                matches!(told, Err(Error::Refused { replayed, .. }) if replayed == replay),
                "{told:?}"
            );
        }
        assert_eq!(world.calls(effect), 1);
        assert_eq!(h.effects().await, 0);
    }
}

async fn a_refusal_after_a_lost_answer_does_not_prove_that_nothing_happened<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w), World::default());
    world.expect(REFUND, Does::LosesTheAnswer(Oops::WhoKnows));
    world.expect(REFUND, Does::Refuses(Oops::TryAgain));
    let told = deliver::<H>(h.store(), flow, &world, "one").await;
    assert!(matches!(told, Err(Error::Failed(_))), "{told:?}");
    assert_eq!(world.calls(REFUND), 2);
    h.age(61 * MINUTE).await;
    let told = deliver::<H>(h.store(), flow, &world, "one").await;
    assert!(is_ambiguous(&told, REFUND), "{told:?}");
}

/// The provider knows the key for an hour, and the lease is a minute.
async fn a_takeover_needs_a_key_that_its_provider_knows_until_the_end_of_its_lease<H: Outside>(
    h: &H,
) {
    for (id, minutes, knows) in [("early", 58, true), ("late", 59, false)] {
        let (flow, world) = (three_systems(|w| w), World::default());
        world.expect(REFUND, Does::LosesTheAnswer(Oops::WhoKnows));
        world.expect(REFUND, Does::Refuses(Oops::TryAgain));
        let told = deliver::<H>(h.store(), flow, &world, id).await;
        assert!(matches!(told, Err(Error::Failed(_))), "{told:?}");
        h.age(minutes * MINUTE).await;
        let told = deliver::<H>(h.store(), flow, &world, id).await;
        assert_eq!(is_fresh(&told), knows, "{id}: {told:?}");
        assert_eq!(is_ambiguous(&told, REFUND), !knows, "{id}: {told:?}");
    }
}

async fn a_panic_in_an_unkeyed_effect_is_ambiguous_and_in_a_keyed_one_a_retry<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w), World::default());
    world.expect(MAIL, Does::Panics);
    let panicked = in_a_task::<H>(h.store(), flow, &world, "mail").await;
    assert!(panicked.is_err());
    assert_eq!(status(h, flow, "mail").await, ("ambiguous", 1));
    world.expect(REFUND, Does::Panics);
    let panicked = in_a_task::<H>(h.store(), flow, &world, "refund").await;
    assert!(panicked.is_err());
    assert!(is_fresh(
        &deliver::<H>(h.store(), flow, &world, "refund").await
    ));
    assert_eq!(status(h, flow, "refund").await, ("done", 2));
}

async fn a_handler_that_does_not_wait_for_an_effect_is_stopped<H: Outside>(h: &H) {
    let flow = three_systems(|w| w);
    for (id, effect, writes) in [
        ("keyed", REFUND, false),
        ("keyed, then writes", REFUND, true),
        ("mail", MAIL, false),
        ("mail, then writes", MAIL, true),
    ] {
        let world = World::default();
        world.expect(effect, Does::NeverAnswers);
        let asked = request(flow, id, "10");
        let told = deliver_to::<H, _>(h.store(), &asked, async |op: &mut Op<'_, H>| {
            let patience = Duration::from_millis(20);
            let given_up = if effect == REFUND {
                let step = op.step(REFUND, |key| world.call(REFUND, key));
                tokio::time::timeout(patience, step).await.is_err()
            } else {
                let mail = op.irreversible(MAIL, || world.call(MAIL, ""));
                tokio::time::timeout(patience, mail).await.is_err()
            };
            assert!(given_up);
            if writes {
                let written = H::put(op.tx(), id).await;
                written.map_err(|_| Oops::TryAgain)?;
            }
            Ok("done, it believes".to_owned())
        })
        .await;
        if effect == REFUND {
            assert!(
                matches!(told, Err(Error::Unanswered { effect: REFUND })),
                "{told:?}"
            );
        } else {
            assert!(is_ambiguous(&told, MAIL), "{told:?}");
        }
        assert_eq!(h.effects().await, 0);
    }
}

async fn a_dropped_caller_in_mid_effect_leaves_the_row_to_its_lease<H: Outside>(h: &H) {
    let flow = three_systems(|w| w);
    for effect in [REFUND, MAIL] {
        let world = World::default();
        world.expect(effect, Does::NeverAnswers);
        let waiting = world.waiting();
        tokio::select! {
            told = deliver::<H>(h.store(), flow, &world, effect) => panic!("{told:?}"),
            () = waiting.notified() => {}
        }
        assert_eq!(status(h, flow, effect).await, ("in_flight", 1));
        let told = deliver::<H>(h.store(), flow, &world, effect).await;
        assert!(is_busy(&told), "{told:?}");
        h.age(2 * MINUTE).await;
        let told = deliver::<H>(h.store(), flow, &world, effect).await;
        if effect == REFUND {
            assert!(is_fresh(&told), "{told:?}");
            let keys = world.keys(REFUND);
            assert_eq!(keys.len(), 2);
            assert_eq!(keys[0], keys[1]);
        } else {
            assert!(is_ambiguous(&told, MAIL), "{told:?}");
            assert_eq!(world.calls(MAIL), 1);
        }
    }
    assert_eq!(h.effects().await, 1);
}

async fn a_dropped_caller_before_any_effect_gives_its_claim_back<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w.max_attempts(1)), World::default());
    for _ in 0..3 {
        let asked = request(flow, "one", "10");
        let reached = Notify::new();
        let stuck = deliver_to::<H, _>(h.store(), &asked, async |op: &mut Op<'_, H>| {
            let _tx = op.tx();
            reached.notify_one();
            std::future::pending().await
        });
        tokio::select! {
            told = stuck => assert!(is_busy(&told), "{told:?}"),
            () = reached.notified() => {}
        }
    }
    for _ in 0..20_000 {
        match deliver::<H>(h.store(), flow, &world, "one").await {
            Ok(Outcome::Busy { .. }) => tokio::task::yield_now().await,
            told => {
                assert!(is_fresh(&told), "{told:?}");
                return;
            }
        }
    }
    panic!("the claim is not given back");
}

async fn an_effect_that_outlives_the_lease_ends_the_attempt<H: Outside>(h: &H) {
    let flow = three_systems(|w| w.lease_ms(200));
    for effect in [REFUND, MAIL] {
        let world = World::default();
        world.expect(effect, Does::NeverAnswers);
        let told = deliver::<H>(h.store(), flow, &world, effect).await;
        assert!(matches!(told, Err(Error::Fenced)), "{told:?}");
        if effect == MAIL {
            assert_eq!(status(h, flow, MAIL).await, ("ambiguous", 1));
        }
    }
    assert_eq!(h.effects().await, 0);
}

async fn the_lease_is_renewed_while_an_effect_takes_its_time<H: Outside>(h: &H) {
    let (flow, world) = (
        three_systems(|w| w.lease_ms(400).heartbeat()),
        World::default(),
    );
    let asked = request(flow, "one", "10");
    let told = deliver_to::<H, _>(h.store(), &asked, async |op: &mut Op<'_, H>| {
        let slow = async |key: &str| {
            // The owner's own clock is what runs here, and it cannot be aged.
            tokio::time::sleep(Duration::from_millis(900)).await;
            world.call(REFUND, key).await
        };
        let refund = op.step(REFUND, slow).await?;
        H::put(op.tx(), "one").await.map_err(|_| Oops::TryAgain)?;
        Ok(refund)
    })
    .await;
    assert!(is_fresh(&told), "{told:?}");
    assert_eq!(h.effects().await, 1);
}

async fn refused<H: Outside>(h: &H, flow: &'static Workflow, told: Told) -> String {
    let Err(Error::Store(error)) = told else {
        panic!("{told:?}");
    };
    assert_eq!(error.kind(), StoreErrorKind::Permanent);
    assert_eq!(status(h, flow, "one").await.0, "failed");
    error.to_string()
}

async fn what_the_contract_does_not_declare_is_not_performed<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w), World::default());
    let asked = request(flow, "one", "10");
    let told = deliver_to::<H, _>(h.store(), &asked, async |op: &mut Op<'_, H>| {
        op.step("provider-refnud", |key| world.call(REFUND, key))
            .await
    })
    .await;
    let said = refused(h, flow, told).await;
    assert!(said.contains("declares no such effect"), "{said}");
    let told = deliver_to::<H, _>(h.store(), &asked, async |op: &mut Op<'_, H>| {
        op.irreversible(REFUND, || world.call(REFUND, "")).await
    })
    .await;
    let said = refused(h, flow, told).await;
    assert!(said.contains("write `op.step`"), "{said}");
    assert_eq!(world.calls(REFUND), 0);
}

async fn an_effect_needs_a_claim_that_a_crash_does_not_undo<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w.mode(Mode::Fused)), World::default());
    let told = deliver::<H>(h.store(), flow, &world, "one").await;
    let said = refused(h, flow, told).await;
    assert!(said.contains("is to be leased"), "{said}");
    assert_eq!(world.calls(REFUND), 0);
}

async fn an_effect_is_performed_once_within_one_attempt<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w), World::default());
    let asked = request(flow, "one", "10");
    let told = deliver_to::<H, _>(h.store(), &asked, async |op: &mut Op<'_, H>| {
        let mut said = Vec::new();
        for _ in 0..3 {
            said.push(op.step(REFUND, |key| world.call(REFUND, key)).await?);
            said.push(op.irreversible(MAIL, || world.call(MAIL, "")).await?);
        }
        said.dedup();
        Ok(said.len().to_string())
    })
    .await;
    assert!(is_fresh(&told), "{told:?}");
    assert_eq!(world.happened(), [REFUND, MAIL]);
}

async fn a_claim_lost_in_mid_effect_commits_nothing<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w), World::default());
    world.expect(REFUND, Does::NeverAnswers);
    let asked = request(flow, "one", "10");
    let told = deliver_to::<H, _>(h.store(), &asked, async |op: &mut Op<'_, H>| {
        let refund = op
            .step(REFUND, async |_| {
                // As a takeover would, once this owner's lease is over.
                h.sql("update processed_operations set fence = fence + 1")
                    .await;
                Ok::<_, Oops>("re_1".to_owned())
            })
            .await?;
        H::put(op.tx(), "one").await.map_err(|_| Oops::TryAgain)?;
        Ok(refund)
    })
    .await;
    assert!(matches!(told, Err(Error::Fenced)), "{told:?}");
    assert_eq!(status(h, flow, "one").await, ("in_flight", 1));
    assert_eq!(h.effects().await, 0);
}

async fn an_effect_that_cannot_be_said_to_begin_is_not_performed<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w), World::default());
    h.sql("alter table operation_effects rename column result to lost")
        .await;
    let told = deliver::<H>(h.store(), flow, &world, "one").await;
    refused(h, flow, told).await;
    assert_eq!(world.calls(REFUND), 0);
}

async fn an_irreversible_effect_that_cannot_be_recorded_is_ambiguous<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w), World::default());
    let asked = request(flow, "one", "10");
    let told = deliver_to::<H, _>(h.store(), &asked, async |op: &mut Op<'_, H>| {
        op.irreversible(MAIL, async || {
            if H::SPEAKS == Speaks::Mysql {
                h.sql("alter table operation_effects drop constraint a_done_effect_has_a_result")
                    .await;
            }
            h.sql("alter table operation_effects rename column result to lost")
                .await;
            world.call(MAIL, "").await
        })
        .await
    })
    .await;
    assert!(matches!(told, Err(Error::Store(_))), "{told:?}");
    assert_eq!(status(h, flow, "one").await, ("ambiguous", 1));
    let found = h.store().read(asked.key()).await.expect("it answers");
    let row = found.expect("a row").expect("it can be read");
    let decided = idem::claim::decide(Some(row), &asked);
    assert!(
        matches!(&decided, idem::claim::Decision::Told(Claimed::Ambiguous { reason })
            if reason.contains(MAIL)),
        "{decided:?}"
    );
}
