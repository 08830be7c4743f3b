//! Sentence 6. Completion is conditional on key, fence and `in_flight`. Zero rows means the claim was lost:
//! the transaction is rolled back, so a zombie's business write never lands, and the caller gets
//! `Fenced`.

use std::sync::Arc;
use std::time::Duration;

use idem::claim::{Claim, ResultKind};
use idem::store::{
    Claimed, Completion, Held, Remains, Request, Store as _, TransactionalStore as _,
};
use idem::{Error, Mode};
use tokio::sync::Notify;

use super::harness::{Harness, Speaks, against_every_store, row};
use super::script::*;

against_every_store! {
    whatever_a_zombie_writes_changes_nothing,
    a_zombies_business_write_never_lands,
    a_fused_completion_that_comes_second_is_rolled_back_and_told_the_first_result,
    a_fused_failure_never_overwrites_a_newer_row,
}

const VALUE: Completion<'static> = Completion {
    kind: ResultKind::Value,
    bytes: Some(b"\"zombie\""),
    version: 1,
};

async fn claimed<H: Harness>(h: &H, request: &Request) -> Claim {
    match h.store().claim(request).await.expect("the store answers") {
        Claimed::Won(claim) => claim,
        Claimed::Told(told) => panic!("{told:?}"),
    }
}

/// A claims and stalls; B takes over and finishes; A wakes.
async fn whatever_a_zombie_writes_changes_nothing<H: Harness>(h: &H) {
    let leased = workflow(Mode::Leased, |w| w);
    let asked = request(leased, "one", "10");
    let zombie = claimed(h, &asked).await;
    h.age(Duration::from_secs(61)).await;
    for finished in [false, true] {
        if finished {
            assert!(is_fresh(
                &call::<H>(h.store(), &delivery(leased, "one")).await
            ));
        } else {
            let successor = claimed(h, &asked).await;
            assert!(successor.fence > zombie.fence);
        }
        let before = row(h.store(), asked.key()).await;
        let store = h.store();
        let renewed = store
            .renew(&asked, &zombie)
            .await
            .expect("the store answers");
        assert_eq!(renewed, Held::Lost);
        let released = store
            .release(&asked, &zombie)
            .await
            .expect("the store answers");
        assert_eq!(released, Held::Lost);
        for remains in [Remains::Nothing, Remains::Unknown("zombie")] {
            let failed = store
                .fail(&asked, &zombie, remains)
                .await
                .expect("the store answers");
            assert_eq!(failed, Held::Lost);
        }
        let completed = store
            .complete(&asked, &zombie, VALUE)
            .await
            .expect("the store answers");
        assert_eq!(completed, Held::Lost);
        assert_eq!(row(h.store(), asked.key()).await, before);
        if !finished {
            h.age(Duration::from_secs(61)).await;
        }
    }
    let told = call::<H>(h.store(), &delivery(leased, "one")).await;
    let value = told.expect("it replays").into_value();
    assert_eq!(value.as_deref(), Some("one done"));
}

async fn a_zombies_business_write_never_lands<H: Harness>(h: &H) {
    let leased = workflow(Mode::Leased, |w| w);
    if H::SPEAKS == Speaks::Sqlite {
        // A handler's transaction holds the one writer, so nobody can take it over while it runs;
        // a worker that stalled before its transaction is as much of a zombie.
        let asked = request(leased, "one", "10");
        let zombie = claimed(h, &asked).await;
        h.age(Duration::from_secs(61)).await;
        assert!(is_fresh(
            &call::<H>(h.store(), &delivery(leased, "one").only([])).await
        ));
        let Claimed::Won(mut tx) = h.store().begin(&asked, &zombie).await.expect("it begins")
        else {
            panic!("the writer is free");
        };
        H::put(&mut tx, "zombie").await.expect("it writes");
        let completed = h.store().complete_in(&mut tx, &asked, &zombie, VALUE).await;
        assert_eq!(completed.expect("the store answers"), Held::Lost);
        h.store().rollback(tx).await.expect("it rolls back");
        assert_eq!(h.effects().await, 0);
        return;
    }
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let slow = delivery(leased, "one").only([
        Step::Put("zombie"),
        Step::Tell(Arc::clone(&begun)),
        Step::Await(Arc::clone(&go_on)),
    ]);
    let zombie = spawn::<H>(h.store(), &slow);
    begun.notified().await;
    h.age(Duration::from_secs(61)).await;
    assert!(is_fresh(
        &call::<H>(h.store(), &delivery(leased, "one")).await
    ));
    go_on.notify_one();
    let told = zombie.await.expect("the zombie ends");
    assert!(matches!(told, Err(Error::Fenced)), "{told:?}");
    assert_eq!(h.effects().await, 1);
    assert!(is_replay(
        &call::<H>(h.store(), &delivery(leased, "one")).await
    ));
}

/// The lock of a fused claim is no guarantee; the unique key is. A row that appears meanwhile,
/// here by a leased claim of the same key, defeats the completion.
async fn a_fused_completion_that_comes_second_is_rolled_back_and_told_the_first_result<
    H: Harness,
>(
    h: &H,
) {
    if H::SPEAKS == Speaks::Sqlite {
        // Nothing can be written while a fused transaction holds the one writer.
        return;
    }
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let fused = workflow(Mode::Fused, |w| w);
    let slow = delivery(fused, "one").only([
        Step::Put("second"),
        Step::Tell(Arc::clone(&begun)),
        Step::Await(Arc::clone(&go_on)),
    ]);
    let second = spawn::<H>(h.store(), &slow);
    begun.notified().await;
    let leased = workflow(Mode::Leased, |w| w);
    let first = call::<H>(
        h.store(),
        &delivery(leased, "one").only([Step::Put("first")]),
    )
    .await;
    assert!(is_fresh(&first), "{first:?}");
    go_on.notify_one();
    let told = second.await.expect("the second ends");
    assert!(is_replay(&told), "{told:?}");
    assert_eq!(h.effects().await, 1);
}

async fn a_fused_failure_never_overwrites_a_newer_row<H: Harness>(h: &H) {
    if H::SPEAKS == Speaks::Sqlite {
        return;
    }
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let failing = delivery(workflow(Mode::Fused, |w| w), "one").only([
        Step::Tell(Arc::clone(&begun)),
        Step::Await(Arc::clone(&go_on)),
        Step::Fail(Oops::TryAgain),
    ]);
    let second = spawn::<H>(h.store(), &failing);
    begun.notified().await;
    let leased = delivery(workflow(Mode::Leased, |w| w), "one");
    assert!(is_fresh(&call::<H>(h.store(), &leased).await));
    let before = row(h.store(), &leased.key()).await;
    go_on.notify_one();
    let told = second.await.expect("the second ends");
    assert!(matches!(told, Err(Error::Failed(_))), "{told:?}");
    assert_eq!(row(h.store(), &leased.key()).await, before);
    assert!(is_replay(&call::<H>(h.store(), &leased).await));
}
