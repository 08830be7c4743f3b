//! What a store remembers of effects outside it, and what that means for a claim: the rows of the
//! table of claims that speak of begun effects.

use std::time::Duration;

use idem::claim::{Claim, Told};
use idem::store::{BegunEffect, Claimed, EffectStore, Held, Remains, Request, Store as _};
use idem::{Effect, Mode, Workflow};

use super::harness::{Outside, Speaks, against_every_store, row};
use super::script::{request, workflow};

against_every_store! {
    a_begun_unkeyed_effect_makes_a_takeover_ambiguous,
    a_begun_keyed_effect_is_taken_over_while_its_provider_remembers_the_key,
    what_counts_is_the_first_time_that_a_keyed_effect_began,
    nothing_begins_once_the_provider_may_have_forgotten_the_key,
    a_recorded_effect_is_no_obstacle_and_its_result_is_kept,
    a_cleared_effect_had_never_begun,
    one_open_effect_stays_open_when_another_is_recorded,
    a_failure_beside_an_open_keyed_effect_leaves_the_key_lifetime_to_be_judged,
    recorded_effects_outlive_a_failure,
    an_expired_key_won_anew_starts_without_old_effects,
    effects_go_with_their_operation,
    a_zombies_effect_neither_begins_nor_is_recorded,
    a_takeover_and_a_beginning_effect_never_both_succeed,
}

const MAIL: Effect = Effect::irreversible("receipt-mail");
const CALL: Effect = Effect::remote("warehouse-call");
const REFUND: Effect = Effect::keyed_remote("provider-refund").key_lifetime_ms(3_600_000);
const LEDGER: Effect = Effect::keyed_remote("ledger-entry").key_lifetime_ms(7_200_000);

const MINUTE: Duration = Duration::from_secs(60);

fn flow() -> &'static Workflow {
    workflow(Mode::Leased, |w| w.effects(&[MAIL, CALL, REFUND, LEDGER]))
}

fn asked() -> Request {
    request(flow(), "one", "10")
}

async fn claim<H: Outside>(h: &H, request: &Request) -> Result<Claim, Told> {
    match h.store().claim(request).await.expect("the store answers") {
        Claimed::Won(claim) => Ok(claim),
        Claimed::Told(told) => Err(told),
    }
}

async fn won<H: Outside>(h: &H, request: &Request) -> Claim {
    claim(h, request).await.expect("the key is won")
}

async fn begin<H: Outside>(h: &H, request: &Request, claim: &Claim, effect: &Effect) {
    let begun = h.store().begin_effect(request, claim, effect).await;
    assert_eq!(begun.expect("the store answers"), Held::Yes(()));
}

async fn record<H: Outside>(h: &H, request: &Request, claim: &Claim, effect: &Effect) {
    let recorded = h
        .store()
        .record_effect(request, claim, effect, b"\"re_1\"")
        .await;
    assert_eq!(recorded.expect("the store answers"), Held::Yes(()));
}

async fn effects<H: Outside>(h: &H, request: &Request) -> Vec<(String, Option<String>)> {
    let mut effects: Vec<_> = h
        .store()
        .effects(request)
        .await
        .expect("the store answers")
        .into_iter()
        .map(|BegunEffect { effect, result }| {
            let text = |bytes| String::from_utf8(bytes).expect("it is JSON");
            (effect, result.map(text))
        })
        .collect();
    effects.sort();
    effects
}

fn is_ambiguous(told: &Result<Claim, Told>, effect: &Effect) -> bool {
    matches!(told, Err(Told::Ambiguous { reason }) if reason.contains(effect.name()))
}

async fn a_begun_unkeyed_effect_makes_a_takeover_ambiguous<H: Outside>(h: &H) {
    for (id, effect) in [("mail", &MAIL), ("call", &CALL)] {
        let asked = request(flow(), id, "10");
        let first = won(h, &asked).await;
        begin(h, &asked, &first, effect).await;
        assert!(matches!(claim(h, &asked).await, Err(Told::Busy { .. })));
        h.age(2 * MINUTE).await;
        let told = claim(h, &asked).await;
        assert!(is_ambiguous(&told, effect), "{told:?}");
        // Its owner is alive after all, and the truth is known again.
        record(h, &asked, &first, effect).await;
        let second = won(h, &asked).await;
        assert_eq!((second.attempt, second.fence.get()), (2, 2));
    }
}

async fn a_begun_keyed_effect_is_taken_over_while_its_provider_remembers_the_key<H: Outside>(
    h: &H,
) {
    let asked = asked();
    let first = won(h, &asked).await;
    begin(h, &asked, &first, &REFUND).await;
    h.age(59 * MINUTE).await;
    let second = won(h, &asked).await;
    assert_eq!((second.attempt, second.fence.get()), (2, 2));
    assert_eq!(
        effects(h, &asked).await,
        [("provider-refund".to_owned(), None)]
    );
    h.age(2 * MINUTE).await;
    let told = claim(h, &asked).await;
    assert!(is_ambiguous(&told, &REFUND), "{told:?}");
    let Err(Told::Ambiguous { reason }) = told else {
        panic!("{told:?}");
    };
    assert!(
        reason.contains("longer ago than its provider remembers keys"),
        "{reason}"
    );
}

async fn what_counts_is_the_first_time_that_a_keyed_effect_began<H: Outside>(h: &H) {
    let asked = asked();
    let first = won(h, &asked).await;
    begin(h, &asked, &first, &REFUND).await;
    h.age(40 * MINUTE).await;
    let second = won(h, &asked).await;
    begin(h, &asked, &second, &REFUND).await;
    h.age(40 * MINUTE).await;
    let told = claim(h, &asked).await;
    assert!(is_ambiguous(&told, &REFUND), "{told:?}");
}

async fn nothing_begins_once_the_provider_may_have_forgotten_the_key<H: Outside>(h: &H) {
    let asked = asked();
    let first = won(h, &asked).await;
    begin(h, &asked, &first, &REFUND).await;
    h.age(40 * MINUTE).await;
    let second = won(h, &asked).await;
    h.age(21 * MINUTE).await;
    for effect in [&REFUND, &MAIL] {
        let begun = h.store().begin_effect(&asked, &second, effect).await;
        assert_eq!(begun.expect("the store answers"), Held::Lost);
    }
    let told = claim(h, &asked).await;
    assert!(is_ambiguous(&told, &REFUND), "{told:?}");
}

async fn a_recorded_effect_is_no_obstacle_and_its_result_is_kept<H: Outside>(h: &H) {
    let asked = asked();
    let first = won(h, &asked).await;
    for effect in [&REFUND, &MAIL] {
        begin(h, &asked, &first, effect).await;
        record(h, &asked, &first, effect).await;
    }
    h.age(100 * MINUTE).await;
    let second = won(h, &asked).await;
    assert_eq!(second.attempt, 2);
    let recorded = Some("\"re_1\"".to_owned());
    assert_eq!(
        effects(h, &asked).await,
        [
            ("provider-refund".to_owned(), recorded.clone()),
            ("receipt-mail".to_owned(), recorded)
        ]
    );
}

async fn a_cleared_effect_had_never_begun<H: Outside>(h: &H) {
    let asked = asked();
    let first = won(h, &asked).await;
    for effect in [&MAIL, &REFUND] {
        begin(h, &asked, &first, effect).await;
        let cleared = h.store().clear_effect(&asked, &first, effect).await;
        assert_eq!(cleared.expect("the store answers"), Held::Yes(()));
        let again = h.store().clear_effect(&asked, &first, effect).await;
        assert_eq!(again.expect("the store answers"), Held::Lost);
    }
    assert_eq!(effects(h, &asked).await, []);
    h.age(100 * MINUTE).await;
    assert_eq!(won(h, &asked).await.attempt, 2);
}

async fn one_open_effect_stays_open_when_another_is_recorded<H: Outside>(h: &H) {
    for (id, open, other) in [
        ("mail", &MAIL, &CALL),
        ("keyed", &REFUND, &LEDGER),
        ("later", &LEDGER, &REFUND),
        ("both", &MAIL, &REFUND),
    ] {
        let asked = request(flow(), id, "10");
        let first = won(h, &asked).await;
        begin(h, &asked, &first, open).await;
        begin(h, &asked, &first, other).await;
        record(h, &asked, &first, other).await;
        let mut cleared = h.store().begin_effect(&asked, &first, other).await;
        assert_eq!(cleared.expect("the store answers"), Held::Yes(()));
        cleared = h.store().clear_effect(&asked, &first, other).await;
        assert_eq!(cleared.expect("the store answers"), Held::Yes(()));
        h.age(121 * MINUTE).await;
        let told = claim(h, &asked).await;
        assert!(is_ambiguous(&told, open), "{id}: {told:?}");
    }
}

async fn a_failure_beside_an_open_keyed_effect_leaves_the_key_lifetime_to_be_judged<H: Outside>(
    h: &H,
) {
    let asked = asked();
    let first = won(h, &asked).await;
    begin(h, &asked, &first, &REFUND).await;
    let failed = h.store().fail(&asked, &first, Remains::Nothing).await;
    assert_eq!(failed.expect("the store answers"), Held::Yes(()));
    // The retry may run at once, and need not wait for the lease.
    let second = won(h, &asked).await;
    assert_eq!(second.attempt, 2);
    let released = h.store().release(&asked, &second).await;
    assert_eq!(released.expect("the store answers"), Held::Yes(()));
    let third = won(h, &asked).await;
    assert_eq!((third.attempt, third.fence.get()), (2, 3));
    let failed = h.store().fail(&asked, &third, Remains::Nothing).await;
    assert_eq!(failed.expect("the store answers"), Held::Yes(()));
    h.age(61 * MINUTE).await;
    let told = claim(h, &asked).await;
    assert!(is_ambiguous(&told, &REFUND), "{told:?}");
}

async fn recorded_effects_outlive_a_failure<H: Outside>(h: &H) {
    let asked = asked();
    let first = won(h, &asked).await;
    begin(h, &asked, &first, &REFUND).await;
    record(h, &asked, &first, &REFUND).await;
    let failed = h.store().fail(&asked, &first, Remains::Nothing).await;
    assert_eq!(failed.expect("the store answers"), Held::Yes(()));
    let (status, ..) = row(h.store(), asked.key()).await.expect("a row");
    assert_eq!(status, "failed");
    assert_eq!(won(h, &asked).await.attempt, 2);
    let recorded = Some("\"re_1\"".to_owned());
    assert_eq!(
        effects(h, &asked).await,
        [("provider-refund".to_owned(), recorded)]
    );
}

async fn an_expired_key_won_anew_starts_without_old_effects<H: Outside>(h: &H) {
    let asked = asked();
    let first = won(h, &asked).await;
    begin(h, &asked, &first, &REFUND).await;
    record(h, &asked, &first, &REFUND).await;
    let failed = h.store().fail(&asked, &first, Remains::Nothing).await;
    assert_eq!(failed.expect("the store answers"), Held::Yes(()));
    h.age(61 * MINUTE).await;
    let anew = won(h, &asked).await;
    assert_eq!((anew.attempt, anew.fence.get()), (1, 2));
    assert_eq!(effects(h, &asked).await, []);
    h.age(2 * MINUTE).await;
    let second = won(h, &asked).await;
    assert_eq!(second.attempt, 2);
    assert_eq!(effects(h, &asked).await, []);
    begin(h, &asked, &second, &REFUND).await;
    assert_eq!(
        effects(h, &asked).await,
        [("provider-refund".to_owned(), None)]
    );
}

async fn effects_go_with_their_operation<H: Outside>(h: &H) {
    let asked = asked();
    let first = won(h, &asked).await;
    begin(h, &asked, &first, &REFUND).await;
    record(h, &asked, &first, &REFUND).await;
    let failed = h.store().fail(&asked, &first, Remains::Nothing).await;
    assert_eq!(failed.expect("the store answers"), Held::Yes(()));
    h.age(61 * MINUTE).await;
    assert_eq!(h.store().sweep(10).await.expect("it sweeps"), 1);
    if H::SPEAKS != Speaks::Nothing {
        assert_eq!(h.count("operation_effects").await, 0);
    }
    assert_eq!(won(h, &asked).await.fence.get(), 1);
    assert_eq!(effects(h, &asked).await, []);
}

async fn a_zombies_effect_neither_begins_nor_is_recorded<H: Outside>(h: &H) {
    let asked = asked();
    let zombie = won(h, &asked).await;
    begin(h, &asked, &zombie, &REFUND).await;
    h.age(2 * MINUTE).await;
    let successor = won(h, &asked).await;
    let lost = h.store().begin_effect(&asked, &zombie, &MAIL).await;
    assert_eq!(lost.expect("the store answers"), Held::Lost);
    let lost = h
        .store()
        .record_effect(&asked, &zombie, &REFUND, b"1")
        .await;
    assert_eq!(lost.expect("the store answers"), Held::Lost);
    let lost = h.store().clear_effect(&asked, &zombie, &REFUND).await;
    assert_eq!(lost.expect("the store answers"), Held::Lost);
    assert_eq!(
        effects(h, &asked).await,
        [("provider-refund".to_owned(), None)]
    );
    begin(h, &asked, &successor, &REFUND).await;
    record(h, &asked, &successor, &REFUND).await;
}

/// The owner is late, and asks to begin in the moment in which another takes its claim over.
async fn a_takeover_and_a_beginning_effect_never_both_succeed<H: Outside>(h: &H) {
    for round in 0..20 {
        let asked = request(flow(), &format!("race {round}"), "10");
        let owner = won(h, &asked).await;
        h.age(2 * MINUTE).await;
        let (store, late) = (h.store().clone(), asked.clone());
        let beginning = tokio::spawn(async move { store.begin_effect(&late, &owner, &MAIL).await });
        let told = claim(h, &asked).await;
        let held = beginning
            .await
            .expect("it ends")
            .expect("the store answers");
        match held {
            Held::Yes(()) => {
                let busy = matches!(told, Err(Told::Busy { .. }));
                assert!(busy || is_ambiguous(&told, &MAIL), "{told:?}");
            }
            Held::Lost => assert!(told.is_ok(), "{told:?}"),
        }
    }
}
