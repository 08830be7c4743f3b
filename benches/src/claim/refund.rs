//! The delivery that is measured: a refund, as in `contracts/refund-order.toml`.

use idem::Outcome;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Problem;

/// What arrives.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Refund {
    pub(super) tenant_id: String,
    pub(super) refund_id: String,
    pub(super) order_id: String,
    pub(super) amount: i64,
    pub(super) currency: String,
    pub(super) reason: Option<String>,
}

/// What is answered and stored.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Receipt {
    pub(super) refund_id: String,
    pub(super) amount: i64,
}

/// What can go wrong.
#[derive(Debug, idem::Failure)]
pub(super) enum RefundError {
    /// The driver's own error.
    #[failure(transparent)]
    Store(sqlx::Error),
}

impl std::fmt::Display for RefundError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the refund was not booked")
    }
}

impl std::error::Error for RefundError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let Self::Store(error) = self;
        Some(error)
    }
}

impl From<sqlx::Error> for RefundError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error)
    }
}

impl Refund {
    /// Delivery `number`.
    pub(super) fn number(number: u64) -> Self {
        Self {
            tenant_id: "tenant-7".to_owned(),
            refund_id: format!("rf_{number:012}"),
            order_id: format!("order-{}", number / 2),
            amount: 1_250,
            currency: "EUR".to_owned(),
            reason: None,
        }
    }

    /// What a careful person writes by hand: the key as text.
    pub(super) fn key(&self) -> String {
        format!("refund-order:v1:{}:{}", self.tenant_id, self.refund_id)
    }

    /// What a careful person writes by hand: a digest of the fields that must not change.
    pub(super) fn request_hash(&self) -> Vec<u8> {
        let text = format!(
            "{{\"amount\":{},\"currency\":\"{}\",\"order_id\":\"{}\"}}",
            self.amount, self.currency, self.order_id
        );
        Sha256::digest(text.as_bytes()).to_vec()
    }
}

/// As long as what the runtime stores to name the fields that differ: three fields.
pub(super) const FIELD_DIGESTS: &[u8] = &[7; 18];
/// As long as what the runtime stores of a contract's digest.
pub(super) const CONTRACT_DIGEST: &[u8] = &[7; 16];
/// The contract's window: 30 days.
pub(super) const WINDOW_MS: i64 = 30 * 24 * 60 * 60 * 1_000;
/// The contract's lease: 30 seconds.
pub(super) const LEASE_MS: i64 = 30_000;

/// Refuses anything but a first answer: a measurement of something else is worth nothing.
pub(super) fn fresh(outcome: Outcome<Receipt>) -> Result<(), Problem> {
    let Outcome::Fresh(_) = outcome else {
        return Err(format!("expected a fresh answer: {outcome:?}").into());
    };
    Ok(())
}

/// Refuses anything but a repeated answer.
pub(super) fn replayed(outcome: Outcome<Receipt>) -> Result<(), Problem> {
    let Outcome::Replay(_) = outcome else {
        return Err(format!("expected a replay: {outcome:?}").into());
    };
    Ok(())
}
