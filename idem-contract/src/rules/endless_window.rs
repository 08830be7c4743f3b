//! # endless-window
//!
//! `window = "forever"`: no row is ever removed.
//!
//! ## What it does
//!
//! Reports `[claim] window = "forever"`.
//!
//! ## Why it hurts
//!
//! The table grows with every operation the service has ever done, its index no longer fits in
//! memory, and stored answers are kept long after the reason to keep them is gone. Where an operation
//! must really never be repeated, a unique column of the business table says so better.
//!
//! ## Bad
//!
//! ```toml
//! [claim]
//! lease = "30s"
//! window = "forever"
//! max_attempts = 5
//! ```
//!
//! ## Good
//!
//! ```toml
//! [claim]
//! lease = "30s"
//! window = "90d"
//! max_attempts = 5
//! ```
//!
//! ## Source
//!
//! crpg2/crpg#383: every key was kept, until a job had to be written that deletes them.

use std::time::Duration;

use crate::timing::{self, text};
use crate::{Check, Contract, Edit, Findings, Fix, Fixable, Group, Place, Rule, Severity, Window};

pub(super) static ENDLESS_WINDOW: Rule = Rule {
    id: "endless-window",
    group: Group::Window,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::Ask,
    source: include_str!("endless_window.rs"),
    check: Check::Contract(check),
};

/// Longer than the redelivery of any source in the table.
const GENEROUS: Duration = Duration::from_secs(90 * 86_400);

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(window) = contract.claim.window.given() else {
        return;
    };
    if !timing::claims(contract) || window.value != Window::Forever {
        return;
    }
    let horizon = timing::redelivery(contract).map_or(Duration::ZERO, |sum| sum.total);
    let retries = timing::retries(contract).map_or(Duration::ZERO, |sum| sum.total);
    let enough = text(GENEROUS.max(horizon).max(retries));
    findings
        .report(
            window.span,
            "claim.window",
            "every finished operation is remembered for ever",
            "the table and its index grow with each operation that was ever done",
            format!("write `window = \"{enough}\"`; what must never happen again belongs in a unique column of the business table"),
        )
        .fix(Fix {
            safe: false,
            edits: vec![Edit {
                span: window.span,
                text: format!("\"{enough}\""),
            }],
        });
}
