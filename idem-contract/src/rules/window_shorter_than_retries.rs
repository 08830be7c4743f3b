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
use crate::{Check, Contract, Edit, Findings, Fix, Fixable, Group, Place, Rule, Severity, Window};

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
    finding.fix(Fix {
        safe: false,
        edits: vec![Edit {
            span: window.span,
            text: format!("\"{}\"", text(retries.total)),
        }],
    });
}
