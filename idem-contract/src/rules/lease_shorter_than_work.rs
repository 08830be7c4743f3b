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
use crate::{Check, Contract, Edit, Findings, Fix, Fixable, Group, Place, Rule, Setting, Severity};

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
    let enough = text(work.total.saturating_mul(2));
    let finding = findings.report(
        lease.span,
        "claim.lease",
        format!(
            "the lease of {} is shorter than one attempt may work: {}",
            text(lease.value),
            work.formula()
        ),
        "another worker takes over from a healthy attempt, and both are at work",
        format!("write `lease = \"{enough}\"`, or `heartbeat = true` to renew it during the work"),
    );
    finding.race(&[
        "worker A: claims the key with fence 1 and calls the provider",
        "worker A: is still waiting for the answer; its lease ends",
        "worker B: finds the lease over, takes over with fence 2 and calls the provider too",
        "worker A: gets its answer, completes with fence 1 and is refused",
    ]);
    finding.fix(Fix {
        safe: false,
        edits: vec![Edit {
            span: lease.span,
            text: format!("\"{enough}\""),
        }],
    });
    work.label(finding);
}
