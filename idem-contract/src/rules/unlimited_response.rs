//! # unlimited-response
//!
//! Stored responses may grow without a limit.
//!
//! ## What it does
//!
//! Reports a workflow with effects and bookkeeping of its own that keeps whole responses (`keep =
//! "full"`, the default) and states no `max_bytes`.
//!
//! ## Why it hurts
//!
//! A response is written with each completed operation and kept for the whole window. One list that
//! grows with its customer makes the table of keys the largest of the database, and every
//! completion slow.
//!
//! ## Bad
//!
//! ```toml
//! [response]
//! keep = "full"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [response]
//! keep = "full"
//! max_bytes = "64KiB"
//! ```
//!
//! ## Source
//!
//! crpg2/crpg#383: every key was kept, and a worker had to be written later that deletes them.

use crate::{Check, Contract, Findings, Fixable, Group, Keep, Place, Rule, Setting, Severity};

pub(super) static UNLIMITED_RESPONSE: Rule = Rule {
    id: "unlimited-response",
    group: Group::Request,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("unlimited_response.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let response = &contract.response;
    if contract.effects.is_empty()
        || !contract.keeps_bookkeeping()
        || matches!(response.keep, Setting::Unreadable(_))
        || response.keep.or(Keep::Full) != Keep::Full
        || !response.max_bytes.is_absent()
    {
        return;
    }
    findings
        .report(
            response
                .keep
                .span()
                .unwrap_or_else(|| contract.table_anchor(response.header)),
            "response.max_bytes",
            "whole responses are kept, however large",
            "each is written with its operation and stays for the whole window",
            "write `max_bytes = \"64KiB\"` in `[response]`: of a larger one a tombstone is kept, and the retry learns that it succeeded",
        )
        .fix(contract.add_setting(response.header, "response", "max_bytes = \"64KiB\""));
}
