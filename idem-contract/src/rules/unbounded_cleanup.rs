//! # unbounded-cleanup
//!
//! A cleanup that removes everything at once.
//!
//! ## What it does
//!
//! Reports `[cleanup]` without `batch`.
//!
//! ## Why it hurts
//!
//! After a quiet weekend one statement deletes a million rows: it holds their locks, fills the log,
//! and the claims wait behind it. Bounded batches that skip locked rows never block a claim.
//!
//! ## Bad
//!
//! ```toml
//! [cleanup]
//! every = "1m"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [cleanup]
//! every = "1m"
//! batch = 1000
//! ```
//!
//! ## Source
//!
//! idem's own measurements: 1,000 rows at a time leave the claims at nine tenths of their speed, an
//! unpaced sweep at half.

use crate::{Check, Contract, Findings, Fixable, Group, Place, Rule, Severity, timing};

pub(super) static UNBOUNDED_CLEANUP: Rule = Rule {
    id: "unbounded-cleanup",
    group: Group::Window,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Sql],
    core: false,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("unbounded_cleanup.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(header) = contract.cleanup.header else {
        return;
    };
    if !timing::claims(contract) || !contract.cleanup.batch.is_absent() {
        return;
    }
    findings
        .report(
            header.span,
            "cleanup.batch",
            "the cleanup states no batch: it removes everything at once",
            "one large delete holds locks, and every claim waits behind it",
            "write `batch = 1000`: rows removed in one transaction",
        )
        .fix(contract.add_setting(contract.cleanup.header, "cleanup", "batch = 1000"));
}

#[cfg(test)]
mod tests {
    use super::UNBOUNDED_CLEANUP as RULE;
    use crate::rules::examples::source;
    use crate::testing::{alone, bad, good};

    #[test]
    fn a_cleanup_without_a_batch_gets_one() {
        bad(&RULE, "[cleanup]\nevery = \"1m\"\n");
    }

    #[test]
    fn a_cleanup_that_is_not_there_is_left_to_the_other_rule() {
        assert!(alone(&RULE, &source("# without [cleanup]\n")).is_empty());
        good(&RULE, "");
    }
}
