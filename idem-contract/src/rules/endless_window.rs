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
use crate::{Check, Contract, Findings, Fix, Fixable, Group, Place, Rule, Severity, Window};

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
    let enough = GENEROUS.max(horizon).max(retries);
    findings
        .report(
            window.span,
            "claim.window",
            "every finished operation is remembered for ever",
            "the table and its index grow with each operation that was ever done",
            format!("write `window = \"{}\"`; what must never happen again belongs in a unique column of the business table", text(enough)),
        )
        .fix = timing::set(window.span, enough).map(Fix::ask);
}

#[cfg(test)]
mod tests {
    use super::ENDLESS_WINDOW as RULE;
    use crate::testing::{bad, good};

    #[test]
    fn forever_is_answered_with_a_window_that_outlasts_every_horizon() {
        let claim = "[claim]\nlease = \"30s\"\nwindow = \"forever\"\nmax_attempts = 5\n";
        assert!(
            bad(&RULE, claim)[0]
                .help
                .starts_with("write `window = \"90d\"`")
        );
        let found = bad(
            &RULE,
            &format!("[trigger]\nkind = \"manual\"\nredrive_for = \"100d\"\n{claim}"),
        );
        assert!(found[0].help.starts_with("write `window = \"100d\"`"));
    }

    #[test]
    fn a_long_window_is_a_window() {
        good(
            &RULE,
            "[claim]\nlease = \"30s\"\nwindow = \"3650d\"\nmax_attempts = 5\n",
        );
    }
}
