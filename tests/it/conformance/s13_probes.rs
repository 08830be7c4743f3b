//! Sentence 13. `on_ambiguous = "probe"` asks a probe function first and goes to a person only when the
//! probe cannot tell.

use std::sync::Mutex;

use idem::__private::{
    Answered, answered, call, codec, delivery, failure, hashed, key_part, value,
};
use idem::store::Store as _;
use idem::{Effect, Error, FieldType, Mode, Outcome, Probe, Probed, Workflow};

use super::harness::{Outside, against_every_store, row};
use super::outside::{Does, MINUTE, SHIP, World};
use super::script::{Oops, Told, key_of, workflow};

against_every_store! {
    a_probe_that_finds_the_effect_resumes_behind_it,
    a_probe_that_finds_nothing_has_it_performed,
    a_probe_that_cannot_tell_goes_to_a_person,
    a_probe_is_asked_at_once_when_no_answer_came,
    a_probe_is_asked_at_once_when_the_answer_was_lost,
    a_probe_is_not_asked_while_an_attempt_is_at_work,
}

fn flow() -> &'static Workflow {
    workflow(Mode::Leased, |w| {
        w.effects(const { &[Effect::remote(SHIP).timeout_ms(50).probe("find-shipment")] })
            .dead_letter("logistics", "#shipping")
    })
}

/// A probe that answers so, and remembers what it was asked.
struct Oracle {
    says: Probed<&'static str>,
    asked: Mutex<Vec<Probe>>,
}

impl Oracle {
    fn that_says(says: Probed<&'static str>) -> Self {
        Self {
            says,
            asked: Mutex::default(),
        }
    }

    fn ask(&self, probe: &Probe) -> Answered {
        let mut asked = self.asked.lock().expect("nobody panics here");
        asked.push(probe.clone());
        answered(self.says)
    }

    fn times(&self) -> usize {
        self.asked.lock().expect("nobody panics here").len()
    }
}

/// Delivers as the attribute does where there is a probe.
async fn deliver<H: Outside>(h: &H, world: &World, oracle: &Oracle) -> Told {
    let flow = flow();
    let mut asked = delivery(flow);
    key_part(&mut asked, FieldType::Any, "one");
    hashed(&mut asked, "amount", FieldType::String, "10");
    let mut call = call(
        h.store(),
        asked,
        codec(value::<String>(), failure::<Oops>()),
    );
    while let Some(probe) = call.asks().await {
        let told = oracle.ask(&probe);
        call.told(probe, told).await;
    }
    if let Some(mut turn) = call.operation().await {
        let op = &mut turn.op;
        let handler = async {
            let shipped: String = op.remote(SHIP, || world.call(SHIP, "")).await?;
            H::put(op.tx(), "one").await.map_err(|_| Oops::TryAgain)?;
            Ok(shipped)
        };
        turn.guard.drive(handler).await;
    }
    while let Some(probe) = call.asks().await {
        let told = oracle.ask(&probe);
        call.told(probe, told).await;
    }
    call.settled().await
}

/// The owner dies while the warehouse is called.
async fn dies_in_mid_call<H: Outside>(h: &H, world: &World) {
    let oracle = Oracle::that_says(Probed::CannotTell);
    world.expect(SHIP, Does::NeverAnswers);
    let waiting = world.waiting();
    tokio::select! {
        told = deliver(h, world, &oracle) => panic!("{told:?}"),
        () = waiting.notified() => {}
    }
    assert_eq!(oracle.times(), 0);
}

async fn status<H: Outside>(h: &H) -> (&'static str, u32) {
    let (status, attempt, _) = row(h.store(), &key_of(flow(), "one")).await.expect("a row");
    (status, attempt)
}

async fn a_probe_that_finds_the_effect_resumes_behind_it<H: Outside>(h: &H) {
    let world = World::default();
    dies_in_mid_call(h, &world).await;
    h.age(2 * MINUTE).await;
    let oracle = Oracle::that_says(Probed::Happened("shipment 7"));
    let told = deliver(h, &world, &oracle).await;
    assert!(
        matches!(&told, Ok(Outcome::Fresh(answer)) if answer.value == "shipment 7" && answer.attempt() == 2),
        "{told:?}"
    );
    assert_eq!((oracle.times(), world.calls(SHIP)), (1, 1));
    let asked = oracle.asked.lock().expect("nobody panics here")[0].clone();
    assert_eq!((asked.effect(), asked.attempt()), (SHIP, 1));
    assert_eq!(asked.key(), &key_of(flow(), "one"));
}

async fn a_probe_that_finds_nothing_has_it_performed<H: Outside>(h: &H) {
    let world = World::default();
    dies_in_mid_call(h, &world).await;
    h.age(2 * MINUTE).await;
    let oracle = Oracle::that_says(Probed::DidNotHappen);
    let told = deliver(h, &world, &oracle).await;
    assert!(matches!(told, Ok(Outcome::Fresh(_))), "{told:?}");
    assert_eq!((oracle.times(), world.calls(SHIP)), (1, 2));
    assert_eq!(status(h).await, ("done", 2));
}

async fn a_probe_that_cannot_tell_goes_to_a_person<H: Outside>(h: &H) {
    let world = World::default();
    dies_in_mid_call(h, &world).await;
    h.age(2 * MINUTE).await;
    let oracle = Oracle::that_says(Probed::CannotTell);
    for _ in 0..2 {
        let told = deliver(h, &world, &oracle).await;
        assert!(
            matches!(&told, Ok(Outcome::Ambiguous { reason }) if reason.contains(SHIP)),
            "{told:?}"
        );
    }
    assert_eq!((oracle.times(), world.calls(SHIP)), (1, 1));
    assert_eq!(status(h).await, ("ambiguous", 1));
}

async fn a_probe_is_asked_at_once_when_no_answer_came<H: Outside>(h: &H) {
    let world = World::default();
    world.expect(SHIP, Does::NeverAnswers);
    let oracle = Oracle::that_says(Probed::Happened("shipment 7"));
    let told = deliver(h, &world, &oracle).await;
    assert!(
        matches!(told, Err(Error::Unanswered { effect: SHIP })),
        "{told:?}"
    );
    assert_eq!(oracle.times(), 1);
    let told = deliver(h, &world, &oracle).await;
    assert!(
        matches!(&told, Ok(Outcome::Fresh(answer)) if answer.value == "shipment 7"),
        "{told:?}"
    );
    assert_eq!((oracle.times(), world.calls(SHIP)), (1, 1));
}

async fn a_probe_is_asked_at_once_when_the_answer_was_lost<H: Outside>(h: &H) {
    let world = World::default();
    world.expect(SHIP, Does::LosesTheAnswer(Oops::WhoKnows));
    let oracle = Oracle::that_says(Probed::CannotTell);
    let told = deliver(h, &world, &oracle).await;
    assert!(
        matches!(told, Err(Error::Unknown(Oops::WhoKnows))),
        "{told:?}"
    );
    assert_eq!(oracle.times(), 1);
    assert_eq!(status(h).await, ("ambiguous", 1));
    let found = h
        .store()
        .read(&key_of(flow(), "one"))
        .await
        .expect("it answers");
    let row = found.expect("a row").expect("it can be read");
    assert!(
        row.ambiguous_reason
            .is_some_and(|reason| reason.contains(SHIP))
    );
}

async fn a_probe_is_not_asked_while_an_attempt_is_at_work<H: Outside>(h: &H) {
    let world = World::default();
    dies_in_mid_call(h, &world).await;
    let oracle = Oracle::that_says(Probed::DidNotHappen);
    let told = deliver(h, &world, &oracle).await;
    assert!(matches!(told, Ok(Outcome::Busy { .. })), "{told:?}");
    assert_eq!((oracle.times(), world.calls(SHIP)), (0, 1));
}
