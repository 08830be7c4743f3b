//! What is done for a delivery: four workflows through the attribute, and three broken handlers.

use std::time::Duration;

use idem::{Error, Failure, Outcome, PostgresStore, idempotent};
use serde::{Deserialize, Serialize};

use super::delivery::{Delivery, Flow, Told};

const EFFECT: &str = include_str!("../../sql/effect.sql");
const EFFECT_OF: &str = include_str!("../../sql/effect_of.sql");

/// A handler that is broken in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Twin {
    /// The work is done on every delivery.
    NoClaim,
    /// It looks for the effect, and writes it where there is none.
    CheckThenInsert,
    /// It claims, and writes in a transaction of its own.
    WriteOutside,
}

impl Twin {
    pub(crate) const ALL: [Self; 3] = [Self::NoClaim, Self::CheckThenInsert, Self::WriteOutside];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::NoClaim => "no-claim",
            Self::CheckThenInsert => "check-then-insert",
            Self::WriteOutside => "write-outside",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|twin| twin.name() == name)
    }
}

/// The event, as the driver sends it.
#[derive(Clone, Copy, Debug, Serialize)]
struct Posting {
    operation: i64,
}

/// What a delivery's handler does besides its effect.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// Between the effect and the completion: there a kill hurts most.
    pause: Duration,
    fails: bool,
}

/// The number of the ledger's row.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Receipt {
    row: i64,
}

#[derive(Debug, Failure)]
enum PostingError {
    #[failure(no_effect)]
    TryAgain,
    #[failure(transparent)]
    Store(sqlx::Error),
}

impl From<sqlx::Error> for PostingError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error)
    }
}

async fn post(
    connection: &mut sqlx::PgConnection,
    event: Posting,
    brief: bool,
    attempt: u32,
    pace: Pace,
) -> Result<Receipt, PostingError> {
    let row = sqlx::query_scalar(EFFECT)
        .bind(event.operation)
        .bind(brief)
        .bind(i64::from(attempt))
        .fetch_one(connection)
        .await?;
    if !pace.pause.is_zero() {
        tokio::time::sleep(pace.pause).await;
    }
    if pace.fails {
        return Err(PostingError::TryAgain);
    }
    Ok(Receipt { row })
}

/// Four workflows that differ in mode and window; the brief ones are swept while the soak runs.
macro_rules! workflows {
    ($($name:ident $workflow:literal $mode:literal $lease:literal $window:literal $brief:literal)*) => {
        $(
            #[idempotent(
                workflow = $workflow, key = (event.operation), hash = (event.operation),
                lease = $lease, window = $window, max_attempts = 100_000, mode = $mode,
            )]
            async fn $name(
                tx: &mut idem::postgres::Tx<'_>,
                event: &Posting,
                pace: Pace,
            ) -> Result<Receipt, PostingError> {
                let attempt = tx.attempt();
                post(tx, *event, $brief, attempt, pace).await
            }
        )*
    };
}

workflows! {
    long_fused "long-fused" "fused" "5s" "1d" false
    long_leased "long-leased" "leased" "1s" "1d" false
    brief_fused "brief-fused" "fused" "5s" "2s" true
    brief_leased "brief-leased" "leased" "1s" "2s" true
}

/// The claim is whole; the write is not in its transaction.
#[idempotent(
    workflow = "long-leased", key = (event.operation), hash = (event.operation),
    lease = "1s", window = "1d", max_attempts = 100_000, mode = "leased",
)]
async fn write_outside(
    tx: &mut idem::postgres::Tx<'_>,
    event: &Posting,
    pool: &sqlx::PgPool,
    pace: Pace,
) -> Result<Receipt, PostingError> {
    let attempt = tx.attempt();
    let mut own = pool.acquire().await?;
    post(&mut own, *event, false, attempt, pace).await
}

/// Does what a delivery asks for, and says what its caller was told.
pub(crate) async fn handle(store: &PostgresStore, delivery: Delivery, twin: Option<Twin>) -> Told {
    let event = Posting {
        operation: delivery.operation,
    };
    let pace = Pace {
        pause: Duration::from_millis(delivery.pause_ms),
        fails: delivery.fails,
    };
    let told = match (twin, delivery.flow) {
        (Some(Twin::NoClaim), _) => return unclaimed(store, event, pace, false).await,
        (Some(Twin::CheckThenInsert), _) => return unclaimed(store, event, pace, true).await,
        (Some(Twin::WriteOutside), _) => write_outside(store, &event, store.pool(), pace).await,
        (None, Flow::LongFused) => long_fused(store, &event, pace).await,
        (None, Flow::LongLeased) => long_leased(store, &event, pace).await,
        (None, Flow::BriefFused) => brief_fused(store, &event, pace).await,
        (None, Flow::BriefLeased) => brief_leased(store, &event, pace).await,
    };
    match told {
        Ok(Outcome::Fresh(answer)) => Told::Fresh {
            row: answer.value.row,
            attempt: answer.attempt(),
        },
        Ok(Outcome::Replay(answer)) => Told::Replay {
            row: answer.value.row,
        },
        Ok(Outcome::Busy { .. }) => Told::Busy,
        Err(Error::Failed(_)) => Told::Failed,
        Err(Error::Fenced) => Told::Fenced,
        Err(Error::Store(error)) => Told::Unavailable(format!("{error:?}")),
        other => Told::Wrong(format!("{other:?}")),
    }
}

async fn unclaimed(store: &PostgresStore, event: Posting, pace: Pace, looks: bool) -> Told {
    let work = async {
        if looks {
            let found: Option<i64> = sqlx::query_scalar(EFFECT_OF)
                .bind(event.operation)
                .fetch_optional(store.pool())
                .await?;
            if let Some(row) = found {
                return Ok(Told::Replay { row });
            }
        }
        let mut own = store.pool().begin().await?;
        let receipt = post(&mut own, event, false, 1, pace).await?;
        own.commit().await?;
        Ok(Told::Fresh {
            row: receipt.row,
            attempt: 1,
        })
    };
    work.await
        .unwrap_or_else(|error: PostingError| match error {
            PostingError::TryAgain => Told::Failed,
            PostingError::Store(error) => Told::Unavailable(error.to_string()),
        })
}
