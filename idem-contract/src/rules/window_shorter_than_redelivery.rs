//! # window-shorter-than-redelivery
//!
//! The event can come again after we have forgotten it.
//!
//! ## What it does
//!
//! Compares the window with `redelivers_for` + `dead_letter_for` + `redrive_for`. What the contract
//! does not state is taken from the source table where the trigger's `source` is known, else as
//! nothing.
//!
//! ## Why it hurts
//!
//! After the window a delivery is new work. An event that is parked, found, and sent again by hand
//! after two weeks is refunded a second time when keys are kept for one.
//!
//! ## Bad
//!
//! ```toml
//! [trigger]
//! kind = "webhook"
//! redelivers_for = "3d"
//! dead_letter_for = "14d"
//!
//! [claim]
//! lease = "30s"
//! window = "7d"
//! max_attempts = 5
//! ```
//!
//! ## Good
//!
//! ```toml
//! [trigger]
//! kind = "webhook"
//! redelivers_for = "3d"
//! dead_letter_for = "14d"
//!
//! [claim]
//! lease = "30s"
//! window = "17d"
//! max_attempts = 5
//! ```
//!
//! ## Source
//!
//! zenml-io/kitaru#876: keys were kept for 15 minutes, and callers resumed after days.

use crate::timing::{self, text};
use crate::{Check, Contract, Findings, Fix, Fixable, Group, Place, Rule, Severity, Window};

pub(super) static WINDOW_SHORTER_THAN_REDELIVERY: Rule = Rule {
    id: "window-shorter-than-redelivery",
    group: Group::Window,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Ask,
    source: include_str!("window_shorter_than_redelivery.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(window) = contract.claim.window.given() else {
        return;
    };
    let (Window::For(remembered), Some(horizon)) = (window.value, timing::redelivery(contract))
    else {
        return;
    };
    if !timing::claims(contract) || remembered >= horizon.total {
        return;
    }
    let finding = findings.report(
        window.span,
        "claim.window",
        format!(
            "the window of {} is over while the event can still come again: {}",
            text(remembered),
            horizon.formula()
        ),
        "after the window a redelivery is new work, and the effects happen twice",
        format!("write `window = \"{}\"` or more", text(horizon.total)),
    );
    horizon.label(finding);
    finding
        .race(&[
            "worker A: does the work and completes; its answer is lost, the event is parked",
            "worker A: sweeps the row when the window is over",
            "worker B: gets the parked event again, finds no row and does the work once more",
        ])
        .fix = timing::set(window.span, horizon.total).map(Fix::ask);
}

#[cfg(test)]
mod tests {
    use super::WINDOW_SHORTER_THAN_REDELIVERY as RULE;
    use crate::testing::{bad, good};

    fn claim(window: &str) -> String {
        format!("[claim]\nlease = \"30s\"\nwindow = \"{window}\"\nmax_attempts = 5\n")
    }

    #[test]
    fn the_terms_are_added_and_pointed_at() {
        let found = bad(
            &RULE,
            &format!(
                "[trigger]\nkind = \"webhook\"\nredelivers_for = \"3d\"\ndead_letter_for = \"2w\"\nredrive_for = \"12h\"\n{}",
                claim("17d")
            ),
        );
        assert_eq!(
            found[0].message,
            "the window of 17d is over while the event can still come again: \
             redelivers_for 3d + dead_letter_for 14d + redrive_for 12h = 17d12h"
        );
        assert_eq!(found[0].related.len(), 3);
        assert_eq!(found[0].fix.as_ref().map(|fix| fix.safe), Some(false));
    }

    #[test]
    fn a_window_of_exactly_the_horizon_is_long_enough() {
        good(
            &RULE,
            &format!(
                "[trigger]\nkind = \"queue\"\nredelivers_for = \"3d\"\ndead_letter_for = \"14d\"\n{}",
                claim("17d")
            ),
        );
    }

    #[test]
    fn what_is_not_stated_comes_from_the_source_table() {
        let trigger = "[trigger]\nkind = \"webhook\"\nsource = \"stripe\"\n";
        let found = bad(&RULE, &format!("{trigger}{}", claim("2d")));
        assert!(
            found[0].related[0]
                .message
                .contains("https://docs.stripe.com")
        );
        good(&RULE, &format!("{trigger}{}", claim("3d")));
        good(
            &RULE,
            &format!("{trigger}redelivers_for = \"1d\"\n{}", claim("2d")),
        );
        bad(
            &RULE,
            &format!("{trigger}dead_letter_for = \"1d\"\n{}", claim("3d")),
        );
    }

    #[test]
    fn a_person_who_resumes_after_days_counts_as_well() {
        bad(
            &RULE,
            &format!(
                "[trigger]\nkind = \"manual\"\nredrive_for = \"7d\"\n{}",
                claim("15m")
            ),
        );
    }

    #[test]
    fn forever_outlasts_everything_and_no_horizon_is_no_finding() {
        good(
            &RULE,
            &format!(
                "[trigger]\nkind = \"webhook\"\nredelivers_for = \"360000d\"\n{}",
                claim("forever")
            ),
        );
        good(
            &RULE,
            &format!("[trigger]\nkind = \"http\"\n{}", claim("1s")),
        );
    }

    #[test]
    fn a_sum_beyond_all_reason_does_not_overflow() {
        let long = "360000d";
        bad(
            &RULE,
            &format!(
                "[trigger]\nkind = \"webhook\"\nredelivers_for = \"{long}\"\ndead_letter_for = \"{long}\"\nredrive_for = \"{long}\"\n{}",
                claim(long)
            ),
        );
    }
}
