//! The end of an attempt that is not committed.

use std::time::Duration;

use crate::claim::Claim;
use crate::store::{Held, Remains, Request, TransactionalStore};

/// How long a caller waits for a rollback: more than any takes that is not stuck.
const PATIENCE: Duration = Duration::from_secs(2);

/// Rolls an attempt back, and waits for that as long as it makes sense.
pub(super) async fn roll_back<S: TransactionalStore>(
    store: &S,
    request: &Request,
    tx: Option<S::Tx>,
) {
    let Some(tx) = tx else {
        return;
    };
    // A statement that hangs delays a rollback for as long: what is left of it then goes on
    // without the caller, and nothing of it is committed either way.
    match tokio::time::timeout(PATIENCE, store.rollback(tx)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            // The connection is gone, and the store rolls back by itself.
            tracing::debug!(
                workflow = request.workflow().name(),
                key = %request.key(),
                error = &error as &dyn std::error::Error,
                "idem.rollback_failed",
            );
        }
        Err(_) => tracing::warn!(
            workflow = request.workflow().name(),
            key = %request.key(),
            "idem.rollback_delayed",
        ),
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
    let workflow = request.workflow().name();
    let key = request.key();
    match store.fail(request, claim, remains).await {
        Ok(Held::Yes(())) => match remains {
            Remains::Nothing => {
                tracing::info!(workflow, %key, attempt = claim.attempt, "idem.failed");
            }
            Remains::Unknown(reason) => {
                let to = request.workflow().dead_letters();
                let owner = to.map(|to| to.owner);
                let channel = to.map(|to| to.channel);
                tracing::error!(workflow, %key, reason, owner, channel, "idem.ambiguous");
            }
        },
        Ok(Held::Lost) => tracing::debug!(workflow, %key, "idem.fenced"),
        Err(error) => tracing::error!(
            workflow,
            %key,
            ?remains,
            error = &error as &dyn std::error::Error,
            "idem.failure_not_recorded",
        ),
    }
}
