//! The handler of `post-ledger-batch`: Post each batch of journal entries to the ledger once.
//!
//! Begun by `idem generate handler`; it is yours now. It writes these tables, which a migration of
//! yours creates. idem's own come by `idem migrate`, or as files by `idem generate sql`.
//!
//! ```sql
//! create table journal_entries (
//!     company_id text not null,
//!     batch_id text not null,
//!     entry_count bigint not null,
//!     control_total text not null
//! );
//! create table account_totals (
//!     company_id text not null,
//!     batch_id text not null,
//!     entry_count bigint not null,
//!     control_total text not null
//! );
//! ```

use idem::idempotent;
use idem::sqlite::Tx;
use serde::{Deserialize, Serialize};

/// The event, as the contract's payload declares it.
#[derive(Clone, Debug, Deserialize, idem::Event)]
#[event(contract = "post-ledger-batch")]
pub struct PostLedgerBatch {
    /// `string`, `authenticated`.
    pub company_id: String,
    /// `uuid`, `source-id`.
    pub batch_id: String,
    /// `integer`.
    pub entry_count: i64,
    /// `decimal`.
    pub control_total: String,
}

/// The result. It is stored, and a retry gets the same bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PostLedgerBatchDone {
    /// Which attempt did the work, counted from 1.
    pub attempt: u32,
}

/// Why there is no result, and what that means for a retry.
///
/// A definitive refusal of yours is a variant with `#[failure(final)]`: it is stored, and every retry
/// gets it. A failure that left nothing behind is one with `#[failure(no_effect)]`.
#[derive(Debug, idem::Failure)]
pub enum PostLedgerBatchError {
    /// The transaction is rolled back, so a retry is safe.
    #[failure(transparent)]
    Store(sqlx::Error),
}

impl From<sqlx::Error> for PostLedgerBatchError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error)
    }
}

/// Post each batch of journal entries to the ledger once.
///
/// # Errors
///
/// When a statement fails; nothing of this attempt remains then.
#[idempotent(contract = "post-ledger-batch", key = (event.company_id, event.batch_id))]
pub async fn post_ledger_batch(
    tx: &mut Tx<'_>,
    event: &PostLedgerBatch,
) -> Result<PostLedgerBatchDone, PostLedgerBatchError> {
    effect_journal(tx, event).await?;
    effect_account_totals(tx, event).await?;
    Ok(PostLedgerBatchDone {
        attempt: tx.attempt(),
    })
}

const EFFECT_JOURNAL: &str = "\
insert into journal_entries (company_id, batch_id, entry_count, control_total)
values ($1, $2, $3, $4)";

/// Effect `journal` on `journal_entries`: a row for each event.
async fn effect_journal(
    tx: &mut Tx<'_>,
    event: &PostLedgerBatch,
) -> Result<(), PostLedgerBatchError> {
    sqlx::query(EFFECT_JOURNAL)
        .bind(&event.company_id)
        .bind(&event.batch_id)
        .bind(event.entry_count)
        .bind(&event.control_total)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

const EFFECT_ACCOUNT_TOTALS: &str = "\
insert into account_totals (company_id, batch_id, entry_count, control_total)
values ($1, $2, $3, $4)";

/// Effect `account-totals` on `account_totals`: the contract says `change = "relative"`: put the
/// update that you mean in place of this row.
async fn effect_account_totals(
    tx: &mut Tx<'_>,
    event: &PostLedgerBatch,
) -> Result<(), PostLedgerBatchError> {
    sqlx::query(EFFECT_ACCOUNT_TOTALS)
        .bind(&event.company_id)
        .bind(&event.batch_id)
        .bind(event.entry_count)
        .bind(&event.control_total)
        .execute(&mut **tx)
        .await?;
    Ok(())
}
