//! The refund itself: what comes in, what is written, what goes out.

mod postgres;

use std::io::Write as _;
use std::time::Duration;

use idem::{Failure, idempotent};
use serde::{Deserialize, Serialize};

pub use self::postgres::refund_in_postgres;

const INSERT_REFUND: &str = include_str!("../sql/insert_refund.sql");
const INSERT_POSTING: &str = include_str!("../sql/insert_posting.sql");

/// The event, as the contract's payload declares it; the derive holds one against the other.
#[derive(Clone, Debug, Deserialize, idem::Event)]
#[event(contract = "refund-order")]
pub struct Refund {
    /// From the credentials, never from the body.
    pub tenant_id: String,
    /// Made by the order desk when the clerk presses the button; equal on every redelivery.
    pub refund_id: String,
    /// The order that was paid.
    pub order_id: String,
    /// In minor units: 1250 is 12.50.
    pub amount: i64,
    /// Of the amount.
    pub currency: Currency,
    /// For people. It may be edited between two deliveries, so the request hash leaves it out.
    pub reason: Option<String>,
}

/// The currencies that the contract declares.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "the code is the name")]
pub enum Currency {
    Eur,
    Usd,
    Gbp,
}

impl Currency {
    /// The code, as it is stored.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Eur => "EUR",
            Self::Usd => "USD",
            Self::Gbp => "GBP",
        }
    }
}

/// The answer. Its bytes are stored, and a retry gets the same ones.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Receipt {
    /// The refund that is booked.
    pub refund_id: String,
    /// In minor units.
    pub amount: i64,
    /// Which attempt booked it: 1 unless something went wrong before.
    pub attempt: u32,
}

/// Why there is no receipt, and what that means for a retry.
#[derive(Debug, Failure)]
pub enum RefundError {
    /// Asking again does not change it: the refusal is stored, and every retry gets it.
    #[failure(final)]
    NothingToRefund,
    /// The transaction is rolled back, so nothing happened, and a retry is safe.
    #[failure(transparent)]
    Store(sqlx::Error),
}

impl From<sqlx::Error> for RefundError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error)
    }
}

/// How slow the desk is, so that a reader can kill the service in the middle of a refund.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// Between the refund and its postings.
    pub pause: Duration,
}

impl Pace {
    /// Stands still where a crash would hurt most: the refund is written, the ledger is not.
    async fn stand_still(self, event: &Refund) {
        if !self.pause.is_zero() {
            // Nothing depends on whether anybody reads it.
            let _ = writeln!(
                std::io::stdout(),
                "half-way through {}: the refund is written, its postings are not",
                event.refund_id
            );
            tokio::time::sleep(self.pause).await;
        }
    }
}

/// Books a refund in SQLite.
///
/// The attribute turns it into `refund(&store, &event, pace)`, which returns an outcome: fresh, a
/// replay, busy, a mismatch and so on. The body below runs at most once to a commit for one key.
#[idempotent(contract = "refund-order", key = (event.tenant_id, event.refund_id))]
pub async fn refund_in_sqlite(
    tx: &mut idem::sqlite::Tx<'_>,
    event: &Refund,
    pace: Pace,
) -> Result<Receipt, RefundError> {
    refuse_nothing(event)?;
    sqlx::query(INSERT_REFUND)
        .bind(&event.tenant_id)
        .bind(&event.refund_id)
        .bind(&event.order_id)
        .bind(event.amount)
        .bind(event.currency.code())
        .execute(&mut **tx)
        .await?;
    pace.stand_still(event).await;
    for (account, amount) in postings(event) {
        sqlx::query(INSERT_POSTING)
            .bind(&event.tenant_id)
            .bind(&event.refund_id)
            .bind(account)
            .bind(amount)
            .execute(&mut **tx)
            .await?;
    }
    Ok(receipt(event, tx.attempt()))
}

fn refuse_nothing(event: &Refund) -> Result<(), RefundError> {
    if event.amount > 0 {
        Ok(())
    } else {
        Err(RefundError::NothingToRefund)
    }
}

/// Double entry: what leaves one account arrives in the other.
fn postings(event: &Refund) -> [(&'static str, i64); 2] {
    [("sales", -event.amount), ("customers", event.amount)]
}

fn receipt(event: &Refund, attempt: u32) -> Receipt {
    Receipt {
        refund_id: event.refund_id.clone(),
        amount: event.amount,
        attempt,
    }
}
