//! # missing-lease
//!
//! A claim without a lease: nobody knows when a crashed attempt may be taken over.
//!
//! ## What it does
//!
//! Reports a workflow with effects and bookkeeping of its own (strategy `table` or `external`)
//! whose `[claim]` states no `lease`.
//!
//! ## Why it hurts
//!
//! An attempt that dies leaves its key claimed. Without a lease either no one ever takes it over,
//! and the operation is lost, or someone takes it over at once, and two attempts are at work.
//!
//! ## Bad
//!
//! ```toml
//! # without claim.lease
//! ```
//!
//! ## Good
//!
//! ```toml
//! [claim]
//! lease = "30s"
//! window = "30d"
//! max_attempts = 5
//! ```
//!
//! ## Source
//!
//! Gray and Cheriton, "Leases: an efficient fault-tolerant mechanism for distributed file cache
//! consistency", SOSP 1989.

use crate::{Check, Contract, Findings, Fixable, Group, Place, Rule, Severity, timing};

pub(super) static MISSING_LEASE: Rule = Rule {
    id: "missing-lease",
    group: Group::Claim,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("missing_lease.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    if !timing::claims(contract) || !contract.claim.lease.is_absent() {
        return;
    }
    findings
        .report(
            contract.table_anchor(contract.claim.header),
            "claim.lease",
            "the claim has no lease",
            "an attempt that dies keeps its key: no one knows when another may take it over",
            "write `lease = \"30s\"` in `[claim]`: longer than one attempt ever works, shorter than the window",
        )
        .fix(contract.add_setting(contract.claim.header, "claim", "lease = \"30s\""));
}
