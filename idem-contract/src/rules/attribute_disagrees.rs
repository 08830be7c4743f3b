//! # attribute-disagrees
//!
//! The attribute says one key, the contract another.
//!
//! ## What it does
//!
//! At compile time, reports `#[idempotent(contract = "…", key = (…))]` whose key parts are not
//! exactly the contract's key fields in the contract's order.
//!
//! ## Why it hurts
//!
//! The contract is what people review and what the lockfile guards. A handler with another key stores
//! its operations under keys that nobody has checked.
//!
//! ## Bad
//!
//! ```rs
//! // The contract has fields = ["tenant_id", "refund_id"].
//! #[idempotent(contract = "refund-order", key = (event.tenant_id, event.order_id))]
//! async fn refund(tx: &mut Tx<'_>, event: &Refund) -> Result<Receipt, RefundError> { … }
//! ```
//!
//! ## Good
//!
//! ```rs
//! #[idempotent(contract = "refund-order", key = (event.tenant_id, event.refund_id))]
//! async fn refund(tx: &mut Tx<'_>, event: &Refund) -> Result<Receipt, RefundError> { … }
//! ```
//!
//! ## Source
//!
//! kubernetes-sigs/alibaba-cloud-csi-driver#876: a changed derivation gives one operation two keys.

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(super) static ATTRIBUTE_DISAGREES: Rule = Rule {
    id: "attribute-disagrees",
    group: Group::Evolution,
    severity: Severity::Error,
    places: &[Place::Attribute],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("attribute_disagrees.rs"),
    check: Check::Elsewhere,
};
