//! # unbounded-wait
//!
//! A caller waits for the winner without a bound, or for longer than the winner's lease.
//!
//! ## What it does
//!
//! Reports `busy = "wait"` without a time, and `busy = "wait …"` with a time above the lease.
//!
//! ## Why it hurts
//!
//! Each waiting caller holds a connection and a thread of the service. When one operation hangs, its
//! retries pile up behind it until nothing else is served. Past the lease there is nobody left to
//! wait for: the attempt may be taken over.
//!
//! ## Bad
//!
//! ```toml
//! [claim]
//! lease = "30s"
//! window = "30d"
//! max_attempts = 5
//! busy = "wait 45s"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [claim]
//! lease = "30s"
//! window = "30d"
//! max_attempts = 5
//! busy = "wait 2s"
//! ```
//!
//! ## Source
//!
//! idem's claim: a loser never waits on the winner's lock and never times out.

use std::time::Duration;

use crate::timing::{self, text};
use crate::{BusyPolicy, Check, Contract, Findings, Fix, Fixable, Group, Place, Rule, Severity};

pub(super) static UNBOUNDED_WAIT: Rule = Rule {
    id: "unbounded-wait",
    group: Group::Claim,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("unbounded_wait.rs"),
    check: Check::Contract(check),
};

/// Short enough for a caller to sit out, long enough for most winners to finish.
const PATIENCE: Duration = Duration::from_secs(2);

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(busy) = contract.claim.busy.given() else {
        return;
    };
    let lease = contract.claim.lease.given();
    let message = match (busy.value, lease) {
        (BusyPolicy::Wait(None), _) => "a caller waits for the winner without a bound".to_owned(),
        (BusyPolicy::Wait(Some(bound)), Some(lease)) if bound > lease.value => format!(
            "a caller waits for {}, longer than the lease of {}",
            text(bound),
            text(lease.value)
        ),
        (BusyPolicy::Wait(Some(_)) | BusyPolicy::Reject, _) => return,
    };
    if !timing::claims(contract) {
        return;
    }
    let bound = text(lease.map_or(PATIENCE, |lease| lease.value.min(PATIENCE)));
    let finding = findings.report(
        busy.span,
        "claim.busy",
        message,
        "waiting callers hold connections and pile up behind one operation that hangs",
        format!("write `busy = \"wait {bound}\"`, or `busy = \"reject\"` to answer at once"),
    );
    if let Some(lease) = lease {
        finding.also(
            lease.span,
            format!("after {} the attempt may be taken over", text(lease.value)),
        );
    }
    finding.fix(Fix::replace(busy.span, format!("\"wait {bound}\"")));
}

#[cfg(test)]
mod tests {
    use super::UNBOUNDED_WAIT as RULE;
    use crate::testing::{bad, good};

    fn claim(busy: &str) -> String {
        format!("[claim]\nlease = \"30s\"\nwindow = \"30d\"\nmax_attempts = 5\nbusy = \"{busy}\"\n")
    }

    #[test]
    fn a_wait_without_a_bound_gets_one() {
        bad(&RULE, &claim("wait"));
    }

    #[test]
    fn a_wait_beyond_the_lease_points_at_the_lease() {
        let found = bad(&RULE, &claim("wait 31s"));
        assert_eq!(found[0].related.len(), 1);
    }

    #[test]
    fn waiting_as_long_as_the_lease_is_bounded_by_it() {
        good(&RULE, &claim("wait 30s"));
        good(&RULE, &claim("reject"));
    }
}
