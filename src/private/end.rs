//! The end of an attempt that is not committed.

use std::time::Duration;

use crate::claim::Claim;
use crate::desk::announce;
use crate::observe;
use crate::store::unbroken::unbroken;
use crate::store::{Ended, Held, Remains, Request, TransactionalStore};
use crate::{Mode, StoreError, StoreErrorKind};

/// How long a caller waits for a rollback: more than any takes that is not stuck.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a person is told about an attempt whose handler ended the transaction itself.
pub(super) const CUT_SHORT: &str =
    "the handler ended the transaction that it was given, and what it had written may be committed";

/// Rolls an attempt back, and waits for that as long as it makes sense. Says how the transaction had
/// ended before, where it had otherwise than by losing against a concurrent one.
pub(super) async fn roll_back<S: TransactionalStore>(
    store: &S,
    request: &Request,
    tx: Option<S::Tx>,
    conflict: bool,
) -> Option<Ended> {
    let mut tx = tx?;
    let mut ended = None;
    let rolling_back = async {
        ended = store.ended(&mut tx, conflict).await;
        store.rollback(tx).await
    };
    // A statement that hangs delays a rollback for as long: what is left of it then goes on
    // without the caller, and nothing of it is committed either way.
    match tokio::time::timeout(PATIENCE, rolling_back).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            // The connection is gone, and the store rolls back by itself.
            observe::rollback_failed(request, &error);
        }
        Err(_) => observe::rollback_delayed(request),
    }
    ended
}

/// What an attempt leaves whose transaction had ended in that way before it was rolled back.
pub(super) fn remains_of(ended: Option<Ended>) -> Remains<'static> {
    match ended {
        None | Some(Ended::Undone) => Remains::Nothing,
        Some(Ended::Unknown) => Remains::Unknown(CUT_SHORT),
    }
}

/// What the caller is told about a handler that ended its transaction.
pub(super) fn cut_short(ended: Ended) -> StoreError {
    let what = match ended {
        Ended::Undone => {
            "completing a claim whose transaction had ended before its handler returned: nothing is \
             committed; let the handler leave `COMMIT` and `ROLLBACK` to the library, and return the \
             error of a statement that failed"
        }
        Ended::Unknown => {
            "completing a claim whose handler ended the transaction that it was given: what it had \
             written may be committed, nothing further is, and a person decides about the key; let \
             the handler leave `COMMIT` and `ROLLBACK` to the library"
        }
    };
    StoreError::new(StoreErrorKind::Permanent, what)
}

/// Rolls an attempt back of which perhaps an effect remains, and records that. In fused mode the
/// transaction is the claim, so nobody may win the key before the record is there; a leased claim
/// is protected by its lease meanwhile.
pub(super) async fn roll_back_in_doubt<S: TransactionalStore>(
    store: &S,
    request: &Request,
    claim: &Claim,
    tx: Option<S::Tx>,
    reason: &str,
) {
    let remains = Remains::Unknown(reason);
    let recorded = match (request.workflow().claim_mode(), tx) {
        (Mode::Fused, Some(tx)) => store.fail_in(tx, request, claim, reason).await,
        (Mode::Fused | Mode::Leased, tx) => {
            roll_back(store, request, tx, false).await;
            store.fail(request, claim, remains).await
        }
    };
    if report(request, claim, remains, recorded) {
        note(store, request).await;
    }
}

/// Records the end of an attempt whose transaction is rolled back. It is conditional on the
/// fence, so it may come late; when the store cannot be asked, no row (or the lease) says that
/// a retry is safe.
pub(super) async fn record_end<S: TransactionalStore>(
    store: &S,
    request: &Request,
    claim: &Claim,
    remains: Remains<'_>,
) {
    let recorded = store.fail(request, claim, remains).await;
    if report(request, claim, remains, recorded) {
        note(store, request).await;
    }
}

/// Says how it ended, and whether only a person goes on from here.
fn report(
    request: &Request,
    claim: &Claim,
    remains: Remains<'_>,
    recorded: Result<Held, StoreError>,
) -> bool {
    match recorded {
        Ok(Held::Yes(())) => match remains {
            Remains::Nothing => {
                observe::failed(request, claim);
                claim.attempt >= request.workflow().attempts()
            }
            Remains::Unknown(_) => true,
        },
        Ok(Held::Lost) => {
            observe::failed_late(request, claim);
            false
        }
        Err(error) => {
            observe::failure_not_recorded(request, remains, &error);
            false
        }
    }
}

/// Writes the dead letter of a case that only a person decides, and tells about it when this call
/// wrote it. A caller that hangs up does not keep anybody from being told. The store writes the mark
/// and the letter one after the other: a process that dies in between leaves the letter to the next
/// delivery or sweep.
pub(super) async fn note<S: TransactionalStore>(store: &S, request: &Request) {
    let (store, request) = (store.clone(), request.clone());
    let noting = async move {
        match store.note(&request).await {
            Ok(Some(letter)) => announce(store.hooks(), &letter),
            Ok(None) => {}
            Err(error) => observe::dead_letter_not_written(&request, &error),
        }
    };
    unbroken(noting, std::future::ready).await;
}
