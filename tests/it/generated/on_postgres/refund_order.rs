//! The handler of `refund-order`: Book a refund of a paid order once, however often the webhook
//! fires.
//!
//! Begun by `idem generate handler`; it is yours now. It writes these tables, which a migration of
//! yours creates. idem's own come by `idem migrate`, or as files by `idem generate sql`.
//!
//! ```sql
//! create table refunds (
//!     tenant_id text not null,
//!     refund_id text not null,
//!     order_id text not null,
//!     amount bigint not null,
//!     currency text not null,
//!     reason text
//! );
//! create table ledger (
//!     tenant_id text not null,
//!     refund_id text not null,
//!     order_id text not null,
//!     amount bigint not null,
//!     currency text not null,
//!     reason text
//! );
//! ```

use idem::idempotent;
use idem::postgres::Tx;
use serde::{Deserialize, Serialize};

/// The event, as the contract's payload declares it.
#[derive(Clone, Debug, Deserialize, idem::Event)]
#[event(contract = "refund-order")]
pub struct RefundOrder {
    /// `string`, `authenticated`.
    pub tenant_id: String,
    /// `string`, `source-id`.
    pub refund_id: String,
    /// `string`, `business-id`.
    pub order_id: String,
    /// `integer`.
    pub amount: i64,
    /// `enum`.
    pub currency: RefundOrderCurrency,
    /// `string`, personal.
    pub reason: Option<String>,
}

/// The values of `currency`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum RefundOrderCurrency {
    /// `EUR`.
    #[serde(rename = "EUR")]
    Eur,
    /// `USD`.
    #[serde(rename = "USD")]
    Usd,
    /// `GBP`.
    #[serde(rename = "GBP")]
    Gbp,
}

impl RefundOrderCurrency {
    /// The value, as the contract writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eur => "EUR",
            Self::Usd => "USD",
            Self::Gbp => "GBP",
        }
    }
}

/// The result. It is stored, and a retry gets the same bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RefundOrderDone {
    /// Which attempt did the work, counted from 1.
    pub attempt: u32,
}

/// Why there is no result, and what that means for a retry.
///
/// A definitive refusal of yours is a variant with `#[failure(final)]`: it is stored, and every retry
/// gets it. A failure that left nothing behind is one with `#[failure(no_effect)]`.
#[derive(Debug, idem::Failure)]
pub enum RefundOrderError {
    /// The transaction is rolled back, so a retry is safe.
    #[failure(transparent)]
    Store(sqlx::Error),
}

impl From<sqlx::Error> for RefundOrderError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error)
    }
}

/// Book a refund of a paid order once, however often the webhook fires.
///
/// # Errors
///
/// When a statement fails; nothing of this attempt remains then.
#[idempotent(contract = "refund-order", key = (event.tenant_id, event.refund_id))]
pub async fn refund_order(
    tx: &mut Tx<'_>,
    event: &RefundOrder,
) -> Result<RefundOrderDone, RefundOrderError> {
    effect_refunds(tx, event).await?;
    effect_ledger(tx, event).await?;
    Ok(RefundOrderDone {
        attempt: tx.attempt(),
    })
}

const EFFECT_REFUNDS: &str = "\
insert into refunds (tenant_id, refund_id, order_id, amount, currency, reason)
values ($1, $2, $3, $4, $5, $6)";

/// Effect `refunds` on `refunds`: a row for each event.
async fn effect_refunds(tx: &mut Tx<'_>, event: &RefundOrder) -> Result<(), RefundOrderError> {
    sqlx::query(EFFECT_REFUNDS)
        .bind(&event.tenant_id)
        .bind(&event.refund_id)
        .bind(&event.order_id)
        .bind(event.amount)
        .bind(event.currency.as_str())
        .bind(&event.reason)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

const EFFECT_LEDGER: &str = "\
insert into ledger (tenant_id, refund_id, order_id, amount, currency, reason)
values ($1, $2, $3, $4, $5, $6)";

/// Effect `ledger` on `ledger`: a row for each event.
async fn effect_ledger(tx: &mut Tx<'_>, event: &RefundOrder) -> Result<(), RefundOrderError> {
    sqlx::query(EFFECT_LEDGER)
        .bind(&event.tenant_id)
        .bind(&event.refund_id)
        .bind(&event.order_id)
        .bind(event.amount)
        .bind(event.currency.as_str())
        .bind(&event.reason)
        .execute(&mut **tx)
        .await?;
    Ok(())
}
