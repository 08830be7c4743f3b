//! The handler of `transfer-funds`: Move an amount between two wallets once for each transfer the
//! user meant.
//!
//! Begun by `idem generate handler`; it is yours now. It writes these tables, which a migration of
//! yours creates. idem's own come by `idem migrate`, or as files by `idem generate sql`.
//!
//! ```sql
//! create table wallet_entries (
//!     tenant_id text not null,
//!     transfer_id text not null,
//!     from_wallet text not null,
//!     to_wallet text not null,
//!     amount text not null,
//!     currency text not null,
//!     memo text
//! );
//! create table wallets (
//!     tenant_id text not null,
//!     transfer_id text not null,
//!     from_wallet text not null,
//!     to_wallet text not null,
//!     amount text not null,
//!     currency text not null,
//!     memo text
//! );
//! ```

use idem::idempotent;
use idem::sqlite::Tx;
use serde::{Deserialize, Serialize};

/// The event, as the contract's payload declares it.
#[derive(Clone, Debug, Deserialize, idem::Event)]
#[event(contract = "transfer-funds")]
pub struct TransferFunds {
    /// `string`, `authenticated`.
    pub tenant_id: String,
    /// `uuid`, `stored-before-attempt`.
    pub transfer_id: String,
    /// `uuid`, `business-id`.
    pub from_wallet: String,
    /// `uuid`, `business-id`.
    pub to_wallet: String,
    /// `decimal`.
    pub amount: String,
    /// `enum`.
    pub currency: TransferFundsCurrency,
    /// `string`, personal.
    pub memo: Option<String>,
}

/// The values of `currency`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum TransferFundsCurrency {
    /// `EUR`.
    #[serde(rename = "EUR")]
    Eur,
    /// `CHF`.
    #[serde(rename = "CHF")]
    Chf,
}

impl TransferFundsCurrency {
    /// The value, as the contract writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eur => "EUR",
            Self::Chf => "CHF",
        }
    }
}

/// The result. It is stored, and a retry gets the same bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TransferFundsDone {
    /// Which attempt did the work, counted from 1.
    pub attempt: u32,
}

/// Why there is no result, and what that means for a retry.
///
/// A definitive refusal of yours is a variant with `#[failure(final)]`: it is stored, and every retry
/// gets it. A failure that left nothing behind is one with `#[failure(no_effect)]`.
#[derive(Debug, idem::Failure)]
pub enum TransferFundsError {
    /// The transaction is rolled back, so a retry is safe.
    #[failure(transparent)]
    Store(sqlx::Error),
}

impl From<sqlx::Error> for TransferFundsError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error)
    }
}

/// Move an amount between two wallets once for each transfer the user meant.
///
/// # Errors
///
/// When a statement fails; nothing of this attempt remains then.
#[idempotent(contract = "transfer-funds", key = (event.tenant_id, event.transfer_id))]
pub async fn transfer_funds(
    tx: &mut Tx<'_>,
    event: &TransferFunds,
) -> Result<TransferFundsDone, TransferFundsError> {
    effect_entries(tx, event).await?;
    effect_balances(tx, event).await?;
    Ok(TransferFundsDone {
        attempt: tx.attempt(),
    })
}

const EFFECT_ENTRIES: &str = "\
insert into wallet_entries (tenant_id, transfer_id, from_wallet, to_wallet, amount, currency, memo)
values ($1, $2, $3, $4, $5, $6, $7)";

/// Effect `entries` on `wallet_entries`: a row for each event.
async fn effect_entries(tx: &mut Tx<'_>, event: &TransferFunds) -> Result<(), TransferFundsError> {
    sqlx::query(EFFECT_ENTRIES)
        .bind(&event.tenant_id)
        .bind(&event.transfer_id)
        .bind(&event.from_wallet)
        .bind(&event.to_wallet)
        .bind(&event.amount)
        .bind(event.currency.as_str())
        .bind(&event.memo)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

const EFFECT_BALANCES: &str = "\
insert into wallets (tenant_id, transfer_id, from_wallet, to_wallet, amount, currency, memo)
values ($1, $2, $3, $4, $5, $6, $7)";

/// Effect `balances` on `wallets`: the contract says `change = "relative"`: put the update that you
/// mean in place of this row.
async fn effect_balances(tx: &mut Tx<'_>, event: &TransferFunds) -> Result<(), TransferFundsError> {
    sqlx::query(EFFECT_BALANCES)
        .bind(&event.tenant_id)
        .bind(&event.transfer_id)
        .bind(&event.from_wallet)
        .bind(&event.to_wallet)
        .bind(&event.amount)
        .bind(event.currency.as_str())
        .bind(&event.memo)
        .execute(&mut **tx)
        .await?;
    Ok(())
}
