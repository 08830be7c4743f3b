//! What a handler's error means: the table of the specification's chapter of that name.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use idem::{Error, Mode, Outcome};

use super::harness::{Harness, against_every_store, row};
use super::script::*;

against_every_store! {
    nothing_happened_so_a_retry_runs_at_once,
    attempts_are_counted_until_they_are_used_up,
    a_panic_is_a_failure_and_goes_on_to_the_caller,
    an_unknown_end_is_a_persons_case_and_never_rerun,
    a_statement_that_failed_leaves_nothing_behind,
    a_key_that_cannot_be_made_touches_no_store,
}

async fn nothing_happened_so_a_retry_runs_at_once<H: Harness>(h: &H) {
    for (mode, id) in [(Mode::Fused, "fused"), (Mode::Leased, "leased")] {
        let flow = workflow(mode, |w| w);
        let once = delivery(flow, id).then(Step::FailFirst(Oops::TryAgain));
        let before = h.effects().await;
        let first = call::<H>(h.store(), &once).await;
        assert!(
            matches!(first, Err(Error::Failed(Oops::TryAgain))),
            "{first:?}"
        );
        assert_eq!(h.effects().await, before);
        let (status, attempt, _) = row(h.store(), &once.key()).await.expect("it is counted");
        assert_eq!((status, attempt), ("failed", 1));
        let second = call::<H>(h.store(), &once).await;
        assert!(
            matches!(&second, Ok(Outcome::Fresh(a)) if a.attempt() == 2),
            "{second:?}"
        );
        assert_eq!(h.effects().await, before + 1);
    }
}

async fn attempts_are_counted_until_they_are_used_up<H: Harness>(h: &H) {
    for (mode, id) in [(Mode::Fused, "fused"), (Mode::Leased, "leased")] {
        let runs = Arc::new(AtomicU32::new(0));
        let failing = delivery(workflow(mode, |w| w.max_attempts(3)), id)
            .only([Step::Count(Arc::clone(&runs)), Step::Fail(Oops::TryAgain)]);
        for _ in 0..3 {
            assert!(matches!(
                call::<H>(h.store(), &failing).await,
                Err(Error::Failed(_))
            ));
        }
        for _ in 0..2 {
            let told = call::<H>(h.store(), &failing).await;
            assert!(
                matches!(told, Ok(Outcome::Exhausted { attempts: 3 })),
                "{told:?}"
            );
        }
        assert_eq!(runs.load(Ordering::SeqCst), 3);
        let other = call::<H>(h.store(), &failing.body("11")).await;
        assert!(matches!(other, Ok(Outcome::Mismatch { .. })), "{other:?}");
    }
}

async fn a_panic_is_a_failure_and_goes_on_to_the_caller<H: Harness>(h: &H) {
    for (mode, id) in [(Mode::Fused, "fused"), (Mode::Leased, "leased")] {
        let flow = workflow(mode, |w| w);
        let before = h.effects().await;
        let panicking = delivery(flow, id).then(Step::Panic);
        let panicked = spawn::<H>(h.store(), &panicking)
            .await
            .expect_err("the task panics");
        let message = panicked
            .into_panic()
            .downcast::<&str>()
            .expect("its own message");
        assert_eq!(*message, "the handler's own panic");
        let (status, attempt, _) = row(h.store(), &panicking.key()).await.expect("counted");
        assert_eq!((status, attempt), ("failed", 1));
        assert_eq!(h.effects().await, before);
        assert!(is_fresh(&call::<H>(h.store(), &delivery(flow, id)).await));
    }
}

async fn an_unknown_end_is_a_persons_case_and_never_rerun<H: Harness>(h: &H) {
    for (mode, id) in [(Mode::Fused, "fused"), (Mode::Leased, "leased")] {
        let runs = Arc::new(AtomicU32::new(0));
        let doubtful = delivery(workflow(mode, |w| w), id)
            .then(Step::Count(Arc::clone(&runs)))
            .then(Step::Fail(Oops::WhoKnows));
        let first = call::<H>(h.store(), &doubtful).await;
        assert!(
            matches!(first, Err(Error::Unknown(Oops::WhoKnows))),
            "{first:?}"
        );
        for _ in 0..2 {
            let told = call::<H>(h.store(), &doubtful).await;
            let Ok(Outcome::Ambiguous { reason }) = told else {
                panic!("{told:?}");
            };
            assert!(reason.contains("unknown"), "{reason}");
        }
        assert_eq!(runs.load(Ordering::SeqCst), 1);
        let (status, ..) = row(h.store(), &doubtful.key()).await.expect("a row");
        assert_eq!(status, "ambiguous");
    }
    assert_eq!(h.effects().await, 0);
}

async fn a_statement_that_failed_leaves_nothing_behind<H: Harness>(h: &H) {
    for (mode, id) in [(Mode::Fused, "fused"), (Mode::Leased, "leased")] {
        let before = h.effects().await;
        let flow = workflow(mode, |w| w);
        // The second row of one name breaks the business table's own rule, where it has one.
        let twice = delivery(flow, id)
            .then(Step::Put(id))
            .then(Step::FailFirst(Oops::TryAgain));
        let told = call::<H>(h.store(), &twice).await;
        assert!(
            matches!(told, Err(Error::Failed(Oops::TryAgain))),
            "{told:?}"
        );
        assert_eq!(h.effects().await, before);
        assert!(is_fresh(&call::<H>(h.store(), &delivery(flow, id)).await));
    }
}

async fn a_key_that_cannot_be_made_touches_no_store<H: Harness>(h: &H) {
    use idem::__private::{Opened, finish, hash_finish, hasher, key, open, part};
    let fused = workflow(Mode::Fused, |w| w);
    let long = "x".repeat(10_000);
    for id in ["", "   ", long.as_str()] {
        let mut builder = key(fused);
        part(&mut builder, id);
        let opened: Opened<'_, H::Store, String, Oops> = open(
            h.store(),
            fused,
            None,
            finish(builder),
            hash_finish(hasher(fused)),
        )
        .await;
        let Opened::Answer(Err(Error::Key(error))) = opened else {
            panic!("`{id}` made a key");
        };
        assert!(error.to_string().contains("conformance"), "{error}");
    }
    assert_eq!(h.rows().await, 0);
}
