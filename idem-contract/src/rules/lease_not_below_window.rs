//! # lease-not-below-window
//!
//! One length of time for "at work" and for "remembered".
//!
//! ## What it does
//!
//! Reports a lease that is as long as the window, or longer.
//!
//! ## Why it hurts
//!
//! The two answer different questions. The lease says when a crashed attempt may be taken over:
//! seconds or minutes. The window says how long a finished operation is remembered: days. Where one
//! number serves for both, either a crash blocks the key for days, or a retry after minutes runs
//! the work again.
//!
//! ## Bad
//!
//! ```toml
//! [claim]
//! lease = "30d"
//! window = "30d"
//! max_attempts = 1
//! heartbeat = true
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
//! pathosDev/actor-ts#984: a lock of 24 hours that was also the life of the stored answer.

use std::time::Duration;

use crate::timing::{self, text};
use crate::{Check, Contract, Findings, Fixable, Group, Place, Rule, Severity, Window};

pub(super) static LEASE_NOT_BELOW_WINDOW: Rule = Rule {
    id: "lease-not-below-window",
    group: Group::Claim,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("lease_not_below_window.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let (Some(lease), Some(window)) = (contract.claim.lease.given(), contract.claim.window.given())
    else {
        return;
    };
    let Window::For(remembered) = window.value else {
        return;
    };
    if !timing::claims(contract) || lease.value < remembered {
        return;
    }
    let enough = enough(contract);
    let help = if enough < remembered {
        format!(
            "write `lease = \"{}\"`: how long one attempt works; the window alone says how long it is remembered",
            text(enough)
        )
    } else {
        "raise the window above every redelivery, or lower the lease to how long one attempt works"
            .to_owned()
    };
    let finding = findings.report(
        lease.span,
        "claim.lease",
        format!(
            "the lease of {} is not below the window of {}",
            text(lease.value),
            text(remembered)
        ),
        "a crash keeps the key claimed for as long as a finished operation would be remembered",
        help,
    );
    finding
        .also(window.span, format!("remembered for {}", text(remembered)))
        .race(&[
            "worker A: claims the key and crashes",
            "worker B: gets the retry, finds the claim and answers Busy",
            "worker B: answers Busy to every further retry until the sender gives up; the work is never done",
        ]);
    // Shortening is safe only where the new lease is known to cover the work.
    if enough < remembered && outside_work_is_bounded(contract) {
        finding.fix = timing::set(lease.span, enough);
    }
}

/// Thirty seconds, or twice the stated work where that is longer.
fn enough(contract: &Contract) -> Duration {
    timing::work(contract)
        .total
        .saturating_mul(2)
        .max(Duration::from_secs(30))
}

fn outside_work_is_bounded(contract: &Contract) -> bool {
    contract.complete
        && contract
            .effects
            .iter()
            .all(|effect| effect.is_fusable() || effect.timeout.get().is_some())
}

#[cfg(test)]
mod tests {
    use super::LEASE_NOT_BELOW_WINDOW as RULE;
    use crate::testing::{bad, good};

    #[test]
    fn one_day_for_both_is_one_number_too_few() {
        let found = bad(
            &RULE,
            "[claim]\nlease = \"24h\"\nwindow = \"1d\"\nmax_attempts = 1\n",
        );
        assert_eq!(found[0].related[0].message, "remembered for 1d");
        assert!(found[0].fix.as_ref().is_some_and(|fix| fix.safe));
    }

    #[test]
    fn a_lease_is_not_shortened_below_work_that_nobody_has_bounded() {
        let found = bad(
            &RULE,
            "[claim]\nlease = \"24h\"\nwindow = \"1h\"\nmax_attempts = 1\n\
             [[effects]]\nname = \"label\"\nkind = \"keyed-remote\"\nkey_header = \"K\"\n",
        );
        assert_eq!(found[0].fix, None);
    }

    #[test]
    fn one_millisecond_below_is_below() {
        good(
            &RULE,
            "[claim]\nlease = \"59s999ms\"\nwindow = \"1m\"\nmax_attempts = 1\n",
        );
    }

    #[test]
    fn every_lease_is_below_forever() {
        good(
            &RULE,
            "[claim]\nlease = \"10000d\"\nwindow = \"forever\"\nmax_attempts = 1\n",
        );
    }
}
