//! # long-work-without-heartbeat
//!
//! Work that fills most of the lease, or a very long lease, without a heartbeat.
//!
//! ## What it does
//!
//! Adds up `timeout` × `tries` of all effects. Without `heartbeat = true` it reports work that takes
//! over half the lease, and a lease of over ten minutes. Work that is longer than the lease is
//! `lease-shorter-than-work`.
//!
//! ## Why it hurts
//!
//! Without renewal one number has to serve two wishes: long enough for the slowest honest attempt,
//! short enough that a crash is noticed soon. Near its limit an ordinary slow day turns into a
//! takeover; far above it a crash blocks the key for that long.
//!
//! ## Bad
//!
//! ```toml
//! [claim]
//! lease = "30m"
//! window = "30d"
//! max_attempts = 5
//! ```
//!
//! ## Good
//!
//! ```toml
//! [claim]
//! lease = "30s"
//! window = "30d"
//! max_attempts = 5
//! heartbeat = true
//! ```
//!
//! ## Source
//!
//! idem's claim: a heartbeat renews the lease at a third of it, on condition of the fence.

use std::time::Duration;

use crate::timing::{self, text};
use crate::{Check, Contract, Findings, Fix, Fixable, Group, Place, Rule, Setting, Severity};

pub(super) static LONG_WORK_WITHOUT_HEARTBEAT: Rule = Rule {
    id: "long-work-without-heartbeat",
    group: Group::Claim,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("long_work_without_heartbeat.rs"),
    check: Check::Contract(check),
};

/// Longer than a person waits for a stuck operation before looking for it by hand.
const LONG: Duration = Duration::from_secs(600);

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(lease) = contract.claim.lease.given() else {
        return;
    };
    let fix = match &contract.claim.heartbeat {
        Setting::Absent => contract.add_setting(contract.claim.header, "claim", "heartbeat = true"),
        Setting::Given(heartbeat) if !heartbeat.value => {
            Fix::replace(heartbeat.span, "true".to_owned())
        }
        Setting::Given(_) | Setting::Unreadable(_) => return,
    };
    if !timing::claims(contract) {
        return;
    }
    let work = timing::work(contract);
    let tight = work.total <= lease.value && work.total > lease.value / 2;
    let message = if tight {
        format!(
            "one attempt may work for over half the lease of {}: {}",
            text(lease.value),
            work.formula()
        )
    } else if lease.value > LONG && work.total <= lease.value {
        format!(
            "a lease of {} without a heartbeat: a crash blocks the key for that long",
            text(lease.value)
        )
    } else {
        return;
    };
    let finding = findings.report(
        lease.span,
        "claim.lease",
        message,
        "a lease that is not renewed cannot be both long enough for slow work and short enough for a crash",
        "write `heartbeat = true`: the lease is then renewed at a third of it while the work goes on",
    );
    if tight {
        work.label(finding);
    }
    finding.fix(fix);
}

#[cfg(test)]
mod tests {
    use super::LONG_WORK_WITHOUT_HEARTBEAT as RULE;
    use crate::testing::{bad, good};

    const MAIL: &str =
        "[[effects]]\nname = \"mail\"\nkind = \"irreversible\"\non_ambiguous = \"dead-letter\"\n";

    #[test]
    fn work_of_over_half_the_lease_wants_a_heartbeat() {
        let found = bad(&RULE, &format!("{MAIL}timeout = \"15001ms\"\n"));
        assert_eq!(found[0].related.len(), 1);
    }

    #[test]
    fn exactly_half_the_lease_leaves_room() {
        good(&RULE, &format!("{MAIL}timeout = \"15s\"\n"));
    }

    #[test]
    fn a_lease_of_over_ten_minutes_wants_a_heartbeat_and_ten_minutes_do_not() {
        let claim = |lease: &str| {
            format!("[claim]\nlease = \"{lease}\"\nwindow = \"30d\"\nmax_attempts = 5\n")
        };
        bad(&RULE, &claim("10m1s"));
        bad(&RULE, &format!("{}heartbeat = false\n", claim("1h")));
        good(&RULE, &claim("10m"));
        good(&RULE, &format!("{}heartbeat = true\n", claim("1h")));
    }

    #[test]
    fn work_that_is_longer_than_the_lease_is_left_to_the_graver_rule() {
        good(&RULE, &format!("{MAIL}timeout = \"31s\"\n"));
    }
}
