//! # unbounded-attempts
//!
//! A claim without `max_attempts`: an operation that cannot succeed is tried for ever.
//!
//! ## What it does
//!
//! Reports a workflow with effects and bookkeeping of its own (strategy `table` or `external`)
//! whose `[claim]` states no `max_attempts`.
//!
//! ## Why it hurts
//!
//! A message that kills its worker comes back and kills the next one. Each attempt may also repeat
//! an outside effect that has failed half-way. After a bounded number of attempts a person has to
//! look, and is told so through the dead letter.
//!
//! ## Bad
//!
//! ```toml
//! # without claim.max_attempts
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
//! idem's claim: a failed key whose attempts are used up is Exhausted.

use crate::{Check, Contract, Findings, Fixable, Group, Place, Rule, Severity, timing};

pub(super) static UNBOUNDED_ATTEMPTS: Rule = Rule {
    id: "unbounded-attempts",
    group: Group::Claim,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("unbounded_attempts.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    if !timing::claims(contract) || !contract.claim.max_attempts.is_absent() {
        return;
    }
    findings
        .report(
            contract.table_anchor(contract.claim.header),
            "claim.max_attempts",
            "the claim has no max_attempts",
            "an operation that cannot succeed is tried for ever, and no one is told",
            "write `max_attempts = 5` in `[claim]`: afterwards the operation goes to the dead letter",
        )
        .fix(contract.add_setting(contract.claim.header, "claim", "max_attempts = 5"));
}

#[cfg(test)]
mod tests {
    use super::UNBOUNDED_ATTEMPTS as RULE;
    use crate::testing::{bad, good};

    #[test]
    fn attempts_are_bounded_by_the_fix() {
        bad(&RULE, "[claim]\nlease = \"30s\"\nwindow = \"30d\"\n");
    }

    #[test]
    fn one_attempt_is_a_bound() {
        good(
            &RULE,
            "[claim]\nlease = \"30s\"\nwindow = \"30d\"\nmax_attempts = 1\n",
        );
    }
}
