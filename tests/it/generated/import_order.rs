//! The handler of `import-order`: Import a shop order into the order system once, however often the
//! shop sends it.
//!
//! Begun by `idem generate handler`; it is yours now. It writes these tables, which a migration of
//! yours creates. idem's own come by `idem migrate`, or as files by `idem generate sql`.
//!
//! ```sql
//! create table orders (
//!     shop_id text not null,
//!     event_id text not null,
//!     order_id bigint not null,
//!     total text not null,
//!     currency text not null,
//!     placed_at text not null,
//!     buyer_mail text not null
//! );
//! create table order_lines (
//!     shop_id text not null,
//!     event_id text not null,
//!     order_id bigint not null,
//!     total text not null,
//!     currency text not null,
//!     placed_at text not null,
//!     buyer_mail text not null
//! );
//! create table stock (
//!     shop_id text not null,
//!     event_id text not null,
//!     order_id bigint not null,
//!     total text not null,
//!     currency text not null,
//!     placed_at text not null,
//!     buyer_mail text not null
//! );
//! ```

use idem::idempotent;
use idem::sqlite::Tx;
use serde::{Deserialize, Serialize};

/// The event, as the contract's payload declares it.
#[derive(Clone, Debug, Deserialize, idem::Event)]
#[event(contract = "import-order")]
pub struct ImportOrder {
    /// `string`, `authenticated`.
    pub shop_id: String,
    /// `string`, `source-id`.
    pub event_id: String,
    /// `integer`, `business-id`.
    pub order_id: i64,
    /// `decimal`.
    pub total: String,
    /// `enum`.
    pub currency: ImportOrderCurrency,
    /// `timestamp`.
    pub placed_at: String,
    /// `string`, personal.
    pub buyer_mail: String,
}

/// The values of `currency`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum ImportOrderCurrency {
    /// `EUR`.
    #[serde(rename = "EUR")]
    Eur,
    /// `USD`.
    #[serde(rename = "USD")]
    Usd,
    /// `GBP`.
    #[serde(rename = "GBP")]
    Gbp,
    /// `SEK`.
    #[serde(rename = "SEK")]
    Sek,
}

impl ImportOrderCurrency {
    /// The value, as the contract writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eur => "EUR",
            Self::Usd => "USD",
            Self::Gbp => "GBP",
            Self::Sek => "SEK",
        }
    }
}

/// The result. It is stored, and a retry gets the same bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ImportOrderDone {
    /// Which attempt did the work, counted from 1.
    pub attempt: u32,
}

/// Why there is no result, and what that means for a retry.
///
/// A definitive refusal of yours is a variant with `#[failure(final)]`: it is stored, and every retry
/// gets it. A failure that left nothing behind is one with `#[failure(no_effect)]`.
#[derive(Debug, idem::Failure)]
pub enum ImportOrderError {
    /// The transaction is rolled back, so a retry is safe.
    #[failure(transparent)]
    Store(sqlx::Error),
}

impl From<sqlx::Error> for ImportOrderError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error)
    }
}

/// Import a shop order into the order system once, however often the shop sends it.
///
/// # Errors
///
/// When a statement fails; nothing of this attempt remains then.
#[idempotent(contract = "import-order", key = (event.shop_id, event.event_id))]
pub async fn import_order(
    tx: &mut Tx<'_>,
    event: &ImportOrder,
) -> Result<ImportOrderDone, ImportOrderError> {
    effect_orders(tx, event).await?;
    effect_order_lines(tx, event).await?;
    effect_available_stock(tx, event).await?;
    Ok(ImportOrderDone {
        attempt: tx.attempt(),
    })
}

const EFFECT_ORDERS: &str = "\
insert into orders (shop_id, event_id, order_id, total, currency, placed_at, buyer_mail)
values ($1, $2, $3, $4, $5, $6, $7)";

/// Effect `orders` on `orders`: a row for each event.
async fn effect_orders(tx: &mut Tx<'_>, event: &ImportOrder) -> Result<(), ImportOrderError> {
    sqlx::query(EFFECT_ORDERS)
        .bind(&event.shop_id)
        .bind(&event.event_id)
        .bind(event.order_id)
        .bind(&event.total)
        .bind(event.currency.as_str())
        .bind(&event.placed_at)
        .bind(&event.buyer_mail)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

const EFFECT_ORDER_LINES: &str = "\
insert into order_lines (shop_id, event_id, order_id, total, currency, placed_at, buyer_mail)
values ($1, $2, $3, $4, $5, $6, $7)";

/// Effect `order-lines` on `order_lines`: a row for each event.
async fn effect_order_lines(tx: &mut Tx<'_>, event: &ImportOrder) -> Result<(), ImportOrderError> {
    sqlx::query(EFFECT_ORDER_LINES)
        .bind(&event.shop_id)
        .bind(&event.event_id)
        .bind(event.order_id)
        .bind(&event.total)
        .bind(event.currency.as_str())
        .bind(&event.placed_at)
        .bind(&event.buyer_mail)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

const EFFECT_AVAILABLE_STOCK: &str = "\
insert into stock (shop_id, event_id, order_id, total, currency, placed_at, buyer_mail)
values ($1, $2, $3, $4, $5, $6, $7)";

/// Effect `available-stock` on `stock`: the contract says `change = "relative"`: put the update
/// that you mean in place of this row.
async fn effect_available_stock(
    tx: &mut Tx<'_>,
    event: &ImportOrder,
) -> Result<(), ImportOrderError> {
    sqlx::query(EFFECT_AVAILABLE_STOCK)
        .bind(&event.shop_id)
        .bind(&event.event_id)
        .bind(event.order_id)
        .bind(&event.total)
        .bind(event.currency.as_str())
        .bind(&event.placed_at)
        .bind(&event.buyer_mail)
        .execute(&mut **tx)
        .await?;
    Ok(())
}
