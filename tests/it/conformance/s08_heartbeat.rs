//! Sentence 8. With a heartbeat the lease is renewed, conditionally on the fence; when renewal is refused
//! the handler's future is dropped and nothing commits.

use std::time::Duration;

use idem::store::{Claimed, Held, Store as _};
use idem::{Error, Mode};

use super::harness::{Harness, Speaks, against_every_store, row};
use super::script::*;

against_every_store! {
    a_renewal_starts_the_lease_anew,
    a_handler_with_a_heartbeat_outlives_its_lease,
    ; databases:
    a_refused_renewal_drops_the_handler_and_nothing_commits,
}

async fn a_renewal_starts_the_lease_anew<H: Harness>(h: &H) {
    let leased = workflow(Mode::Leased, |w| w);
    let asked = request(leased, "one", "10");
    let Claimed::Won(claim) = h.store().claim(&asked).await.expect("it answers") else {
        panic!("the key is absent");
    };
    h.age(Duration::from_secs(50)).await;
    let renewed = h.store().renew(&asked, &claim).await.expect("it answers");
    assert_eq!(renewed, Held::Yes(()));
    h.age(Duration::from_secs(50)).await;
    let told = call::<H>(h.store(), &delivery(leased, "one")).await;
    assert!(is_busy(&told), "{told:?}");
}

async fn a_handler_with_a_heartbeat_outlives_its_lease<H: Harness>(h: &H) {
    let beating = workflow(Mode::Leased, |w| w.lease_ms(400).heartbeat());
    let (begun, go_on) = (
        std::sync::Arc::new(tokio::sync::Notify::new()),
        std::sync::Arc::new(tokio::sync::Notify::new()),
    );
    let long = delivery(beating, "one")
        .then(Step::Tell(std::sync::Arc::clone(&begun)))
        .then(Step::Await(std::sync::Arc::clone(&go_on)));
    let owner = spawn::<H>(h.store(), &long);
    begun.notified().await;
    // The owner's own clock is what runs here, and it cannot be aged.
    tokio::time::sleep(Duration::from_millis(900)).await;
    go_on.notify_one();
    let told = owner.await.expect("the owner ends");
    assert!(is_fresh(&told), "{told:?}");
    assert_eq!(h.effects().await, 1);
}

async fn a_refused_renewal_drops_the_handler_and_nothing_commits<H: Harness>(h: &H) {
    if H::SPEAKS == Speaks::Sqlite {
        // While the handler's transaction holds the one writer, no claim can be taken over.
        return;
    }
    let beating = workflow(Mode::Leased, |w| w.lease_ms(300).heartbeat());
    let begun = std::sync::Arc::new(tokio::sync::Notify::new());
    let stuck = delivery(beating, "one")
        .then(Step::Tell(std::sync::Arc::clone(&begun)))
        .then(Step::Hang);
    let owner = spawn::<H>(h.store(), &stuck);
    begun.notified().await;
    h.sql("update processed_operations set fence = fence + 1")
        .await;
    let told = owner.await.expect("the owner ends");
    assert!(matches!(told, Err(Error::Fenced)), "{told:?}");
    assert_eq!(h.effects().await, 0);
    let (status, _, fence) = row(h.store(), &key_of(beating, "one"))
        .await
        .expect("a row");
    assert_eq!((status, fence.get()), ("in_flight", 2));
}
