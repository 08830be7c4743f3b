//! # lease-shorter-than-work
//!
//! The lease ends while an honest attempt is still at work, so two attempts run at once.
//!
//! ## What it does
//!
//! Adds up `timeout` × `tries` of all effects and compares the sum with the lease. Reports a lease
//! that is shorter, unless `heartbeat = true` renews it.
//!
//! ## Why it hurts
//!
//! A takeover is meant for a crashed attempt. Where the lease is shorter than the work, it takes
//! over from a healthy one, each time the work is slow: the outside effects happen twice, and the
//! slower attempt is fenced after it has done all its work.
//!
//! ## Bad
//!
//! ```toml
//! [claim]
//! lease = "10s"
//! window = "30d"
//! max_attempts = 5
//!
//! [[effects]]
//! name = "carrier-label"
//! kind = "keyed-remote"
//! key_header = "Idempotency-Key"
//! key_lifetime = "7d"
//! timeout = "8s"
//! tries = 2
//! ```
//!
//! ## Good
//!
//! ```toml
//! [claim]
//! lease = "40s"
//! window = "30d"
//! max_attempts = 5
//!
//! [[effects]]
//! name = "carrier-label"
//! kind = "keyed-remote"
//! key_header = "Idempotency-Key"
//! key_lifetime = "7d"
//! timeout = "8s"
//! tries = 2
//! ```
//!
//! ## Source
//!
//! Celery's documentation of the visibility timeout: a task that takes longer is handed to another
//! worker, again and again (celery/celery#5935).

use crate::timing::{self, text};
use crate::{Check, Contract, Findings, Fix, Fixable, Group, Place, Rule, Setting, Severity};

pub(super) static LEASE_SHORTER_THAN_WORK: Rule = Rule {
    id: "lease-shorter-than-work",
    group: Group::Claim,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Ask,
    source: include_str!("lease_shorter_than_work.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(lease) = contract.claim.lease.given() else {
        return;
    };
    // A heartbeat that could not be read may well have been `true`.
    let renewed = match &contract.claim.heartbeat {
        Setting::Absent => false,
        Setting::Unreadable(_) => true,
        Setting::Given(heartbeat) => heartbeat.value,
    };
    let work = timing::work(contract);
    if !timing::claims(contract) || renewed || lease.value >= work.total {
        return;
    }
    let enough = work.total.saturating_mul(2);
    let fix = timing::set(lease.span, enough).map(Fix::ask);
    let help = fix.as_ref().map_or_else(
        || {
            "write shorter timeouts, or `heartbeat = true` to renew the lease during the work"
                .to_owned()
        },
        |_| {
            format!(
                "write `lease = \"{}\"`, or `heartbeat = true` to renew it during the work",
                text(enough)
            )
        },
    );
    let finding = findings.report(
        lease.span,
        "claim.lease",
        format!(
            "the lease of {} is shorter than one attempt may work: {}",
            text(lease.value),
            work.formula()
        ),
        "another worker takes over from a healthy attempt, and both are at work",
        help,
    );
    finding.race(&[
        "worker A: claims the key with fence 1 and calls the provider",
        "worker A: is still waiting for the answer; its lease ends",
        "worker B: finds the lease over, takes over with fence 2 and calls the provider too",
        "worker A: gets its answer, completes with fence 1 and is refused",
    ]);
    finding.fix = fix;
    work.label(finding);
}

#[cfg(test)]
mod tests {
    use super::LEASE_SHORTER_THAN_WORK as RULE;
    use crate::testing::{bad, good};

    const MAIL: &str =
        "[[effects]]\nname = \"mail\"\nkind = \"irreversible\"\non_ambiguous = \"dead-letter\"\n";

    #[test]
    fn the_sum_counts_every_effect_and_every_try() {
        let found = bad(
            &RULE,
            &format!(
                "[claim]\nlease = \"30s\"\nwindow = \"30d\"\nmax_attempts = 5\n\
                 [[effects]]\nname = \"label\"\nkind = \"keyed-remote\"\nkey_header = \"K\"\ntimeout = \"10s\"\ntries = 3\n\
                 {MAIL}timeout = \"1s\"\n"
            ),
        );
        assert_eq!(
            found[0].message,
            "the lease of 30s is shorter than one attempt may work: label 3 × 10s + mail 1s = 31s"
        );
        assert_eq!(found[0].related.len(), 2);
        assert!(!found[0].interleaving.is_empty());
    }

    #[test]
    fn work_that_fills_the_lease_exactly_is_covered() {
        good(&RULE, &format!("{MAIL}timeout = \"30s\"\n"));
    }

    #[test]
    fn a_heartbeat_renews_any_lease() {
        good(
            &RULE,
            &format!(
                "[claim]\nlease = \"30s\"\nwindow = \"30d\"\nmax_attempts = 5\nheartbeat = true\n{MAIL}timeout = \"3h\"\n"
            ),
        );
    }

    #[test]
    fn an_effect_without_a_timeout_counts_as_nothing() {
        good(&RULE, MAIL);
    }

    #[test]
    fn numbers_beyond_all_reason_do_not_overflow() {
        bad(
            &RULE,
            "[[effects]]\nname = \"label\"\nkind = \"keyed-remote\"\nkey_header = \"K\"\ntimeout = \"360000d\"\ntries = 4294967295\n",
        );
    }
}
