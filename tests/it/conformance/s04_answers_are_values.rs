//! Sentence 4. Won, Replay, Busy, Mismatch, Exhausted and Ambiguous are values. The only error is that the
//! store could not be asked, classified as connection, transient or permanent.

use idem::{Error, Mode, Outcome, StoreErrorKind};

use super::harness::{Harness, against_every_store};
use super::script::*;

against_every_store! {
    every_answer_is_a_value,
    ; databases:
    a_missing_table_is_a_permanent_error,
}

async fn every_answer_is_a_value<H: Harness>(h: &H) {
    for mode in MODES {
        let fused = mode == Mode::Fused;
        let plain = workflow(mode, |w| w.max_attempts(1));
        let one = delivery(plain, if fused { "fused" } else { "leased" });
        assert!(is_fresh(&call::<H>(h.store(), &one).await));
        assert!(is_replay(&call::<H>(h.store(), &one).await));
        let other = call::<H>(h.store(), &one.body("11")).await;
        assert!(matches!(other, Ok(Outcome::Mismatch { .. })), "{other:?}");

        let failing = delivery(plain, if fused { "fused fails" } else { "leased fails" });
        let failing = failing.only([Step::Fail(Oops::TryAgain)]);
        let first = call::<H>(h.store(), &failing).await;
        assert!(
            matches!(first, Err(Error::Failed(Oops::TryAgain))),
            "{first:?}"
        );
        let second = call::<H>(h.store(), &failing).await;
        assert!(
            matches!(second, Ok(Outcome::Exhausted { attempts: 1 })),
            "{second:?}"
        );

        let doubtful = delivery(
            plain,
            if fused {
                "fused doubts"
            } else {
                "leased doubts"
            },
        );
        let doubtful = doubtful.only([Step::Fail(Oops::WhoKnows)]);
        let first = call::<H>(h.store(), &doubtful).await;
        assert!(
            matches!(first, Err(Error::Unknown(Oops::WhoKnows))),
            "{first:?}"
        );
        let second = call::<H>(h.store(), &doubtful).await;
        assert!(
            matches!(second, Ok(Outcome::Ambiguous { .. })),
            "{second:?}"
        );
    }
}

async fn a_missing_table_is_a_permanent_error<H: Harness>(h: &H) {
    h.sql("drop table operation_effects; drop table processed_operations")
        .await;
    for mode in MODES {
        let told = call::<H>(h.store(), &delivery(workflow(mode, |w| w), "one")).await;
        let Err(Error::Store(error)) = told else {
            panic!("{told:?}");
        };
        assert_eq!(error.kind(), StoreErrorKind::Permanent);
        let source = std::error::Error::source(&error).expect("the driver's error is the cause");
        assert!(!error.to_string().contains(&source.to_string()), "{error}");
    }
    assert_eq!(h.effects().await, 0);
}
