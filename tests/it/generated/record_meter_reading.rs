//! The handler of `record-meter-reading`: Store each reading of each meter once.
//!
//! Begun by `idem generate handler`; it is yours now. It writes these tables, which a migration of
//! yours creates. idem's own come by `idem migrate`, or as files by `idem generate sql`.
//!
//! ```sql
//! create table meter_readings (
//!     meter_id text not null,
//!     reading_no bigint not null,
//!     register text not null,
//!     watt_hours bigint not null,
//!     read_at text not null
//! );
//! ```

use idem::idempotent;
use idem::sqlite::Tx;
use serde::{Deserialize, Serialize};

/// The event, as the contract's payload declares it.
#[derive(Clone, Debug, Deserialize, idem::Event)]
#[event(contract = "record-meter-reading")]
pub struct RecordMeterReading {
    /// `string`, `business-id`.
    pub meter_id: String,
    /// `integer`, `source-sequence`.
    pub reading_no: i64,
    /// `enum`.
    pub register: RecordMeterReadingRegister,
    /// `integer`.
    pub watt_hours: i64,
    /// `timestamp`.
    pub read_at: String,
}

/// The values of `register`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum RecordMeterReadingRegister {
    /// `import`.
    #[serde(rename = "import")]
    Import,
    /// `export`.
    #[serde(rename = "export")]
    Export,
}

impl RecordMeterReadingRegister {
    /// The value, as the contract writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::Export => "export",
        }
    }
}

/// The result. It is stored, and a retry gets the same bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RecordMeterReadingDone {
    /// Which attempt did the work, counted from 1.
    pub attempt: u32,
}

/// Why there is no result, and what that means for a retry.
///
/// A definitive refusal of yours is a variant with `#[failure(final)]`: it is stored, and every retry
/// gets it. A failure that left nothing behind is one with `#[failure(no_effect)]`.
#[derive(Debug, idem::Failure)]
pub enum RecordMeterReadingError {
    /// The transaction is rolled back, so a retry is safe.
    #[failure(transparent)]
    Store(sqlx::Error),
}

impl From<sqlx::Error> for RecordMeterReadingError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error)
    }
}

/// Store each reading of each meter once.
///
/// # Errors
///
/// When a statement fails; nothing of this attempt remains then.
#[idempotent(contract = "record-meter-reading", key = (event.meter_id, event.reading_no))]
pub async fn record_meter_reading(
    tx: &mut Tx<'_>,
    event: &RecordMeterReading,
) -> Result<RecordMeterReadingDone, RecordMeterReadingError> {
    effect_readings(tx, event).await?;
    Ok(RecordMeterReadingDone {
        attempt: tx.attempt(),
    })
}

const EFFECT_READINGS: &str = "\
insert into meter_readings (meter_id, reading_no, register, watt_hours, read_at)
values ($1, $2, $3, $4, $5)";

/// Effect `readings` on `meter_readings`: a row for each event.
async fn effect_readings(
    tx: &mut Tx<'_>,
    event: &RecordMeterReading,
) -> Result<(), RecordMeterReadingError> {
    sqlx::query(EFFECT_READINGS)
        .bind(&event.meter_id)
        .bind(event.reading_no)
        .bind(event.register.as_str())
        .bind(event.watt_hours)
        .bind(&event.read_at)
        .execute(&mut **tx)
        .await?;
    Ok(())
}
