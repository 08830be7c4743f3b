//! The handler of `credit-loyalty-points`: Credit or withdraw the points of each receipt once.
//!
//! Begun by `idem generate handler`; it is yours now. It writes these tables, which a migration of
//! yours creates. idem's own come by `idem migrate`, or as files by `idem generate sql`.
//!
//! ```sql
//! create table point_entries (
//!     programme_id text not null,
//!     event text not null,
//!     receipt_id text not null,
//!     member_id text not null,
//!     points bigint not null,
//!     sold_at text not null
//! );
//! create table members (
//!     programme_id text not null,
//!     event text not null,
//!     receipt_id text not null,
//!     member_id text not null,
//!     points bigint not null,
//!     sold_at text not null
//! );
//! ```

use idem::idempotent;
use idem::sqlite::Tx;
use serde::{Deserialize, Serialize};

/// The event, as the contract's payload declares it.
#[derive(Clone, Debug, Deserialize, idem::Event)]
#[event(contract = "credit-loyalty-points")]
pub struct CreditLoyaltyPoints {
    /// `string`, `authenticated`.
    pub programme_id: String,
    /// `enum`, `event-type`.
    pub event: CreditLoyaltyPointsEvent,
    /// `string`, `source-id`.
    pub receipt_id: String,
    /// `uuid`, `business-id`.
    pub member_id: String,
    /// `integer`.
    pub points: i64,
    /// `timestamp`.
    pub sold_at: String,
}

/// The values of `event`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, idem::KeyPart)]
pub enum CreditLoyaltyPointsEvent {
    /// `purchase`.
    #[serde(rename = "purchase")]
    Purchase,
    /// `return`.
    #[serde(rename = "return")]
    Return,
}

impl CreditLoyaltyPointsEvent {
    /// The value, as the contract writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Purchase => "purchase",
            Self::Return => "return",
        }
    }
}

/// The result. It is stored, and a retry gets the same bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CreditLoyaltyPointsDone {
    /// Which attempt did the work, counted from 1.
    pub attempt: u32,
}

/// Why there is no result, and what that means for a retry.
///
/// A definitive refusal of yours is a variant with `#[failure(final)]`: it is stored, and every retry
/// gets it. A failure that left nothing behind is one with `#[failure(no_effect)]`.
#[derive(Debug, idem::Failure)]
pub enum CreditLoyaltyPointsError {
    /// The transaction is rolled back, so a retry is safe.
    #[failure(transparent)]
    Store(sqlx::Error),
}

impl From<sqlx::Error> for CreditLoyaltyPointsError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error)
    }
}

/// Credit or withdraw the points of each receipt once.
///
/// # Errors
///
/// When a statement fails; nothing of this attempt remains then.
#[idempotent(contract = "credit-loyalty-points", key = (event.programme_id, event.event, event.receipt_id))]
pub async fn credit_loyalty_points(
    tx: &mut Tx<'_>,
    event: &CreditLoyaltyPoints,
) -> Result<CreditLoyaltyPointsDone, CreditLoyaltyPointsError> {
    effect_point_entries(tx, event).await?;
    effect_point_balances(tx, event).await?;
    Ok(CreditLoyaltyPointsDone {
        attempt: tx.attempt(),
    })
}

const EFFECT_POINT_ENTRIES: &str = "\
insert into point_entries (programme_id, event, receipt_id, member_id, points, sold_at)
values ($1, $2, $3, $4, $5, $6)";

/// Effect `point-entries` on `point_entries`: a row for each event.
async fn effect_point_entries(
    tx: &mut Tx<'_>,
    event: &CreditLoyaltyPoints,
) -> Result<(), CreditLoyaltyPointsError> {
    sqlx::query(EFFECT_POINT_ENTRIES)
        .bind(&event.programme_id)
        .bind(event.event.as_str())
        .bind(&event.receipt_id)
        .bind(&event.member_id)
        .bind(event.points)
        .bind(&event.sold_at)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

const EFFECT_POINT_BALANCES: &str = "\
insert into members (programme_id, event, receipt_id, member_id, points, sold_at)
values ($1, $2, $3, $4, $5, $6)";

/// Effect `point-balances` on `members`: the contract says `change = "relative"`: put the update
/// that you mean in place of this row.
async fn effect_point_balances(
    tx: &mut Tx<'_>,
    event: &CreditLoyaltyPoints,
) -> Result<(), CreditLoyaltyPointsError> {
    sqlx::query(EFFECT_POINT_BALANCES)
        .bind(&event.programme_id)
        .bind(event.event.as_str())
        .bind(&event.receipt_id)
        .bind(&event.member_id)
        .bind(event.points)
        .bind(&event.sold_at)
        .execute(&mut **tx)
        .await?;
    Ok(())
}
