//! # window-shorter-than-retries
//!
//! The window is over before the last automatic attempt can start.
//!
//! ## What it does
//!
//! Reports a window that is shorter than lease × max_attempts + backoff.
//!
//! ## Why it hurts
//!
//! A failed operation is remembered for as long as the window, too. Once it is forgotten, its
//! attempts are counted from one again, and an operation that was to be given up is tried for ever.
//!
//! ## Bad
//!
//! ```toml
//! [trigger]
//! kind = "http"
//!
//! [claim]
//! lease = "1m"
//! window = "1h"
//! max_attempts = 5
//! backoff = "2h"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [trigger]
//! kind = "http"
//!
//! [claim]
//! lease = "1m"
//! window = "1d"
//! max_attempts = 5
//! backoff = "2h"
//! ```
//!
//! ## Source
//!
//! apache/iceberg#18070: a slow retry arrived after the server had forgotten the key.

use crate::timing::{self, text};
use crate::{Check, Contract, Findings, Fix, Fixable, Group, Place, Rule, Severity, Window};

pub(super) static WINDOW_SHORTER_THAN_RETRIES: Rule = Rule {
    id: "window-shorter-than-retries",
    group: Group::Window,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Ask,
    source: include_str!("window_shorter_than_retries.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(window) = contract.claim.window.given() else {
        return;
    };
    let (Window::For(remembered), Some(retries)) = (window.value, timing::retries(contract)) else {
        return;
    };
    if !timing::claims(contract) || remembered >= retries.total {
        return;
    }
    let finding = findings.report(
        window.span,
        "claim.window",
        format!(
            "the window of {} ends before the last attempt can start: {}",
            text(remembered),
            retries.formula()
        ),
        "the count of attempts is forgotten with the key, and an operation to be given up starts anew",
        format!("write `window = \"{}\"` or more", text(retries.total)),
    );
    retries.label(finding);
    finding.fix = timing::set(window.span, retries.total).map(Fix::ask);
}

#[cfg(test)]
mod tests {
    use super::WINDOW_SHORTER_THAN_RETRIES as RULE;
    use crate::testing::{bad, good};

    fn claim(window: &str, backoff: &str) -> String {
        format!("[claim]\nlease = \"1m\"\nwindow = \"{window}\"\nmax_attempts = 5\n{backoff}")
    }

    #[test]
    fn leases_and_pauses_are_added() {
        let found = bad(&RULE, &claim("2h", "backoff = \"2h\"\n"));
        assert_eq!(
            found[0].message,
            "the window of 2h ends before the last attempt can start: lease 1m × max_attempts 5 + backoff 2h = 2h5m"
        );
        bad(&RULE, &claim("4m59s", ""));
    }

    #[test]
    fn a_window_of_exactly_the_retries_is_long_enough() {
        good(&RULE, &claim("2h5m", "backoff = \"2h\"\n"));
        good(&RULE, &claim("5m", ""));
        good(&RULE, &claim("forever", "backoff = \"2h\"\n"));
    }

    #[test]
    fn where_a_number_is_missing_nothing_is_said() {
        good(&RULE, "[claim]\nlease = \"1m\"\nwindow = \"1s\"\n");
        good(&RULE, "[claim]\nwindow = \"1s\"\nmax_attempts = 5\n");
    }
}
