//! Sentence 3. Only the store's clock judges leases and windows. A worker keeps its own monotonic deadline,
//! shorter than the lease, after which it refuses to commit.

use std::time::Duration;

use idem::store::{Claimed, Store as _};
use idem::{Error, Mode};

use super::harness::{Harness, against_every_store, row};
use super::script::*;

against_every_store! {
    a_lease_is_over_when_the_store_says_so_and_not_before,
    a_worker_past_its_own_deadline_refuses_to_commit,
}

async fn a_lease_is_over_when_the_store_says_so_and_not_before<H: Harness>(h: &H) {
    let leased = workflow(Mode::Leased, |w| w);
    let asked = request(leased, "dead", "10");
    let claimed = h.store().claim(&asked).await.expect("the store answers");
    assert!(matches!(claimed, Claimed::Won(_)), "{claimed:?}");

    h.age(Duration::from_secs(59)).await;
    let early = call::<H>(h.store(), &delivery(leased, "dead")).await;
    assert!(is_busy(&early), "{early:?}");

    h.age(Duration::from_secs(2)).await;
    let late = call::<H>(h.store(), &delivery(leased, "dead")).await;
    assert!(
        matches!(&late, Ok(idem::Outcome::Fresh(answer)) if answer.attempt() == 2),
        "{late:?}"
    );
}

async fn a_worker_past_its_own_deadline_refuses_to_commit<H: Harness>(h: &H) {
    for mode in MODES {
        let id = if mode == Mode::Fused {
            "fused"
        } else {
            "leased"
        };
        let short = workflow(mode, |w| w.lease_ms(300));
        let told = call::<H>(h.store(), &delivery(short, id).then(Step::Hang)).await;
        assert!(matches!(told, Err(Error::Fenced)), "{told:?}");
        assert_eq!(h.effects().await, 0);
        // It ended its own claim, so the next caller need not wait for the rest of the lease.
        let (status, attempt, _) = row(h.store(), &key_of(short, id)).await.expect("counted");
        assert_eq!((status, attempt), ("failed", 1));
    }
}
