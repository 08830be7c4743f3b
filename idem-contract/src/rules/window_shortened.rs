//! # window-shortened
//!
//! Finished keys are forgotten sooner than was promised.
//!
//! ## What it does
//!
//! Reports a window that is shorter than the one in `idem.lock`.
//!
//! ## Why it hurts
//!
//! Whoever was told that a retry is safe for thirty days may retry after twenty, and is served twice.
//!
//! ## Bad
//!
//! ```text
//! idem.lock   window = "30d"
//! contract    window = "7d"
//! ```
//!
//! ## Good
//!
//! ```text
//! idem.lock   window = "30d"
//! contract    window = "30d"
//! ```
//!
//! ## Source
//!
//! The contract format, "Shape": the window is counted from completion.

use crate::{Check, Fixable, Group, Place, Rule, Severity};

pub(crate) static WINDOW_SHORTENED: Rule = Rule {
    id: "window-shortened",
    group: Group::Evolution,
    severity: Severity::Warn,
    places: &[Place::Lock],
    core: false,
    since: "0.1.0",
    fixable: Fixable::Ask,
    source: include_str!("window_shortened.rs"),
    check: Check::Elsewhere,
};
