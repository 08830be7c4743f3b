//! A handler that ends the transaction it was given, by a statement of its own, is found out: nothing
//! further is committed, and what may be committed already is never done twice in silence.
//!
//! SQLite lets the store refuse the handler's commit, so that nothing remains. Postgres and MariaDB do
//! not: what the handler committed is committed, and a person decides.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use idem::{Error, Mode, Outcome, StoreErrorKind};

use super::harness::{Harness, Speaks, against_one_store, row};
use super::script::*;

/// What a handler sends, and how many of its first write it commits by that.
const ENDINGS: [(&str, u64); 5] = [
    ("commit", 1),
    ("rollback", 0),
    ("commit; begin", 1),
    ("rollback; begin", 0),
    ("end", 1),
];

mod sqlite {
    super::against_one_store!(Sqlite: an_ended_transaction_is_found_out_by_its_completion);
    super::against_one_store!(Sqlite: a_failure_after_an_ended_transaction_does_not_hide_it);
    super::against_one_store!(Sqlite: a_panic_after_an_ended_transaction_does_not_hide_it);
    super::against_one_store!(Sqlite: a_lost_lease_after_an_ended_transaction_does_not_hide_it);
    super::against_one_store!(Sqlite: savepoints_are_the_handlers_own);
}

mod postgres {
    super::against_one_store!(Postgres: an_ended_transaction_is_found_out_by_its_completion);
    super::against_one_store!(Postgres: a_failure_after_an_ended_transaction_does_not_hide_it);
    super::against_one_store!(Postgres: a_panic_after_an_ended_transaction_does_not_hide_it);
    super::against_one_store!(Postgres: a_lost_lease_after_an_ended_transaction_does_not_hide_it);
    super::against_one_store!(Postgres: savepoints_are_the_handlers_own);
}

/// The same where statements that change tables, or begin, commit.
const COMMITTING: [(&str, u64); 6] = [
    ("commit", 1),
    ("rollback", 0),
    ("commit and chain", 1),
    ("rollback; start transaction", 0),
    ("start transaction", 1),
    ("create table if not exists other (a int)", 1),
];

mod mysql {
    super::against_one_store!(Mysql: an_ended_transaction_is_found_out_by_its_completion);
    super::against_one_store!(Mysql: a_failure_after_an_ended_transaction_does_not_hide_it);
    super::against_one_store!(Mysql: a_panic_after_an_ended_transaction_does_not_hide_it);
    super::against_one_store!(Mysql: a_lost_lease_after_an_ended_transaction_does_not_hide_it);
    super::against_one_store!(Mysql: savepoints_are_the_handlers_own);
}

/// What is stored for the key, and what a retry of an honest handler is told.
async fn is_settled<H: Harness>(h: &H, ended: &Delivery, committed: u64) {
    let (status, attempt, _) = row(h.store(), &ended.key()).await.expect("a row");
    let runs = Arc::new(AtomicU32::new(0));
    let honest = ended.clone().only([
        Step::Count(Arc::clone(&runs)),
        Step::Sql("insert into effects values ('honest')"),
    ]);
    let told = call::<H>(h.store(), &honest).await;
    if H::SPEAKS == Speaks::Sqlite {
        assert_eq!((status, attempt), ("failed", 1), "{ended:?}");
        assert!(is_fresh(&told), "{ended:?}: {told:?}");
        assert_eq!(h.effects().await, 1, "{ended:?}");
    } else {
        assert_eq!((status, attempt), ("ambiguous", 1), "{ended:?}");
        let Ok(Outcome::Ambiguous { reason }) = told else {
            panic!("{ended:?}: {told:?}");
        };
        assert!(reason.contains("ended the transaction"), "{reason}");
        assert_eq!(runs.load(Ordering::SeqCst), 0);
        assert_eq!(h.effects().await, committed, "{ended:?}");
    }
    // The connections are of use to others.
    h.sql("delete from effects").await;
    assert_eq!(h.effects().await, 0);
}

async fn an_ended_transaction_is_found_out_by_its_completion<H: Harness>(h: &H) {
    for mode in MODES {
        let endings = if H::SPEAKS == Speaks::Mysql {
            COMMITTING.as_slice()
        } else {
            ENDINGS.as_slice()
        };
        for (ending, committed) in endings.iter().copied() {
            let mut one = delivery(workflow(mode, |w| w), "first");
            one.id = format!("{mode:?} {ending}");
            let one = one.then(Step::TrySql(ending));
            let told = call::<H>(h.store(), &one).await;
            let Err(Error::Store(error)) = told else {
                panic!("{ending}: {told:?}");
            };
            assert_eq!(error.kind(), StoreErrorKind::Permanent);
            assert!(error.to_string().contains("`COMMIT`"), "{error}");
            is_settled(h, &one, committed).await;
        }
    }
}

async fn a_failure_after_an_ended_transaction_does_not_hide_it<H: Harness>(h: &H) {
    for mode in MODES {
        for end in [Oops::TryAgain, Oops::NotPaid] {
            let mut one = delivery(workflow(mode, |w| w), "first");
            one.id = format!("{mode:?} {end}");
            let one = one.then(Step::TrySql("commit")).then(Step::Fail(end));
            let told = call::<H>(h.store(), &one).await;
            if H::SPEAKS == Speaks::Sqlite {
                // The commit was refused, so the handler says the truth.
                match end {
                    Oops::NotPaid => {
                        assert!(matches!(told, Err(Error::Refused { .. })), "{told:?}");
                        assert_eq!(h.effects().await, 0);
                    }
                    Oops::TryAgain | Oops::WhoKnows => {
                        assert!(matches!(told, Err(Error::Failed(_))), "{told:?}");
                        is_settled(h, &one, 0).await;
                    }
                }
            } else {
                assert!(
                    matches!(&told, Err(Error::Store(e)) if e.kind() == StoreErrorKind::Permanent),
                    "{told:?}"
                );
                is_settled(h, &one, 1).await;
            }
        }
    }
}

async fn a_panic_after_an_ended_transaction_does_not_hide_it<H: Harness>(h: &H) {
    for mode in MODES {
        let mut one = delivery(workflow(mode, |w| w), "first");
        one.id = format!("{mode:?}");
        let one = one.then(Step::TrySql("commit")).then(Step::Panic);
        let panicked = spawn::<H>(h.store(), &one).await;
        assert!(panicked.expect_err("it panics").is_panic());
        is_settled(h, &one, 1).await;
    }
}

async fn a_lost_lease_after_an_ended_transaction_does_not_hide_it<H: Harness>(h: &H) {
    for mode in MODES {
        let mut one = delivery(workflow(mode, |w| w.lease_ms(300)), "first");
        one.id = format!("{mode:?}");
        let one = one.then(Step::TrySql("commit")).then(Step::Hang);
        let told = call::<H>(h.store(), &one).await;
        assert!(matches!(told, Err(Error::Fenced)), "{told:?}");
        is_settled(h, &one, 1).await;
    }
}

async fn savepoints_are_the_handlers_own<H: Harness>(h: &H) {
    for mode in MODES {
        let id = if mode == Mode::Fused {
            "fused"
        } else {
            "leased"
        };
        let one = delivery(workflow(mode, |w| w), id).then(Step::Sql(
            "savepoint mine; insert into effects values ('undone'); rollback to savepoint mine; \
             release savepoint mine",
        ));
        assert!(is_fresh(&call::<H>(h.store(), &one).await));
    }
    assert_eq!(h.effects().await, 2);
}
