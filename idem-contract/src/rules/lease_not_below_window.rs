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
use crate::{Check, Contract, Edit, Findings, Fix, Fixable, Group, Place, Rule, Severity, Window};

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
    let finding = findings.report(
        lease.span,
        "claim.lease",
        format!(
            "the lease of {} is not below the window of {}",
            text(lease.value),
            text(remembered)
        ),
        "a crash keeps the key claimed for as long as a finished operation would be remembered",
        format!(
            "write `lease = \"{}\"`: how long one attempt works; the window alone says how long it is remembered",
            text(enough)
        ),
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
        finding.fix(Fix {
            safe: true,
            edits: vec![Edit {
                span: lease.span,
                text: format!("\"{}\"", text(enough)),
            }],
        });
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
