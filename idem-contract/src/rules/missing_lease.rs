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

#[cfg(test)]
mod tests {
    use super::MISSING_LEASE as RULE;
    use crate::rules::examples::source;
    use crate::testing::{alone, bad, good};

    #[test]
    fn a_claim_without_a_lease_gets_one() {
        let found = bad(&RULE, "[claim]\nwindow = \"30d\"\nmax_attempts = 5\n");
        assert_eq!(found[0].path, "claim.lease");
    }

    #[test]
    fn no_claim_at_all_is_reported_at_the_workflow() {
        let text = source("# without [claim]\n");
        let found = alone(&RULE, &text);
        assert_eq!(found.len(), 1);
        assert_eq!(
            &text[found[0].span.start..found[0].span.end],
            "\"refund-order\""
        );
    }

    #[test]
    fn a_workflow_without_effects_or_without_bookkeeping_needs_none() {
        good(&RULE, "# without [claim]\n# without [effects]\n");
        good(
            &RULE,
            "strategy = \"upsert\"\n[upsert]\nconflict_target = [\"order_id\"]\n",
        );
    }
}
