//! What the provider answers, or does not: late, never, from memory, with its memory gone.

use std::time::Duration;

use idem::{Effect, Error, Mode, Outcome, Workflow};

use super::client::{RenewalError, charge};
use super::handlers::{Renewal, Renews};
use super::server::{Next, Provider};
use crate::conformance::against_every_database;
use crate::conformance::outside::{Op, deliver_to};
use crate::conformance::script::{Oops, Told, request, workflow};

against_every_database! {
    one_subscription_is_charged_under_one_key_and_another_under_another,
    a_provider_that_asks_to_slow_down_is_asked_again_by_a_retry,
    a_declined_card_is_declined_for_good,
    a_dropped_answer_is_asked_for_again_and_the_card_is_charged_once,
    a_late_answer_is_asked_for_again_and_the_card_is_charged_once,
    a_provider_that_has_forgotten_the_key_is_not_asked_again,
    a_key_that_was_used_for_another_charge_is_refused_by_the_provider,
}

async fn one_subscription_is_charged_under_one_key_and_another_under_another<H: Renews>(h: &H) {
    let provider = Provider::start().await;
    for subscription in [1, 2, 1, 2] {
        let told = H::renew(h.store(), &Renewal::of(subscription), provider.address).await;
        assert!(told.is_ok(), "{told:?}");
    }
    let charges = provider.charges();
    assert_eq!(charges.len(), 2);
    assert_ne!(charges[0], charges[1]);
    assert_eq!((provider.mails(), h.effects().await), (2, 2));
}

async fn a_provider_that_asks_to_slow_down_is_asked_again_by_a_retry<H: Renews>(h: &H) {
    let (provider, event) = (Provider::start().await, Renewal::of(1));
    provider.expect(Next::SlowsDown);
    let told = H::renew(h.store(), &event, provider.address).await;
    assert!(
        matches!(told, Err(Error::Failed(RenewalError::NotNow))),
        "{told:?}"
    );
    assert_eq!(provider.charges().len(), 0);
    let told = H::renew(h.store(), &event, provider.address).await;
    assert!(
        matches!(&told, Ok(Outcome::Fresh(answer)) if answer.attempt() == 2),
        "{told:?}"
    );
    assert_eq!((provider.charges().len(), provider.mails()), (1, 1));
}

async fn a_declined_card_is_declined_for_good<H: Renews>(h: &H) {
    let (provider, event) = (Provider::start().await, Renewal::of(1));
    provider.expect(Next::Declines);
    for replay in [false, true] {
        let told = H::renew(h.store(), &event, provider.address).await;
        assert!(
            matches!(told, Err(Error::Refused { error: RenewalError::Refused(402), replayed, .. })
                if replayed == replay),
            "{told:?}"
        );
    }
    assert_eq!((provider.charges().len(), provider.mails()), (0, 0));
}

async fn a_dropped_answer_is_asked_for_again_and_the_card_is_charged_once<H: Renews>(h: &H) {
    let (provider, event) = (Provider::start().await, Renewal::of(1));
    provider.expect(Next::DropsTheAnswer);
    let told = H::renew(h.store(), &event, provider.address).await;
    let value = told.expect("it is done").into_value();
    assert_eq!(value.map(|receipt| receipt.charge).as_deref(), Some("ch_1"));
    assert_eq!((provider.charges().len(), provider.replays()), (1, 1));
    assert_eq!((provider.mails(), h.effects().await), (1, 1));
}

/// A charge alone, with that patience for an answer.
fn hurried(tries: u32) -> &'static Workflow {
    let effect = Effect::keyed_remote("card-charge")
        .key_lifetime_ms(3_600_000)
        .timeout_ms(100)
        .tries(tries);
    workflow(Mode::Leased, |w| w.effects(Box::leak(Box::new([effect]))))
}

async fn charged<H: Renews>(
    h: &H,
    flow: &'static Workflow,
    provider: &Provider,
    amount: i64,
) -> Told {
    let asked = request(flow, "one", "10");
    deliver_to::<H, _>(h.store(), &asked, async |op: &mut Op<'_, H>| {
        let charged = op.step("card-charge", |key| charge(provider.address, key, amount));
        charged.await.map_err(|error| match error {
            RenewalError::NotNow | RenewalError::NotWritten => Oops::TryAgain,
            RenewalError::Refused(_) => Oops::NotPaid,
            RenewalError::NoAnswer => Oops::WhoKnows,
        })
    })
    .await
}

async fn a_late_answer_is_asked_for_again_and_the_card_is_charged_once<H: Renews>(h: &H) {
    let (flow, provider) = (hurried(1), Provider::start().await);
    provider.expect(Next::IsLate(Duration::from_millis(400)));
    let told = charged(h, flow, &provider, 990).await;
    assert!(
        matches!(
            told,
            Err(Error::Unanswered {
                effect: "card-charge"
            })
        ),
        "{told:?}"
    );
    // It is still at work on that key, and says so; then it answers from memory.
    let told = charged(h, flow, &provider, 990).await;
    assert!(
        matches!(told, Err(Error::Failed(Oops::TryAgain))),
        "{told:?}"
    );
    provider.until_it_has_answered().await;
    let told = charged(h, flow, &provider, 990).await;
    assert!(
        matches!(&told, Ok(Outcome::Fresh(answer)) if answer.value == "ch_1"),
        "{told:?}"
    );
    assert_eq!((provider.charges().len(), provider.replays()), (1, 1));
}

async fn a_provider_that_has_forgotten_the_key_is_not_asked_again<H: Renews>(h: &H) {
    let (flow, provider) = (hurried(1), Provider::start().await);
    provider.expect(Next::IsLate(Duration::from_millis(400)));
    let told = charged(h, flow, &provider, 990).await;
    assert!(matches!(told, Err(Error::Unanswered { .. })), "{told:?}");
    h.age(Duration::from_secs(3601)).await;
    provider.forget();
    let told = charged(h, flow, &provider, 990).await;
    assert!(
        matches!(&told, Ok(Outcome::Ambiguous { reason }) if reason.contains("card-charge")),
        "{told:?}"
    );
    assert_eq!(provider.charges().len(), 1);
}

async fn a_key_that_was_used_for_another_charge_is_refused_by_the_provider<H: Renews>(h: &H) {
    let (flow, provider) = (hurried(1), Provider::start().await);
    let key = idem::provider_key(request(flow, "one", "10").key(), "card-charge");
    let other = charge(provider.address, &key, 1).await;
    assert_eq!(other.as_deref(), Ok("ch_1"));
    let told = charged(h, flow, &provider, 990).await;
    assert!(
        matches!(
            told,
            Err(Error::Refused {
                error: Oops::NotPaid,
                ..
            })
        ),
        "{told:?}"
    );
    assert_eq!(provider.charges().len(), 1);
}
