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
use crate::{Check, Contract, Edit, Findings, Fix, Fixable, Group, Place, Rule, Severity, Window};

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
            "the window of {} is shorter than the event can come again: {}",
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
        .fix(Fix {
            safe: false,
            edits: vec![Edit {
                span: window.span,
                text: format!("\"{}\"", text(horizon.total)),
            }],
        });
}
