//! # missing-cleanup
//!
//! A window, and nobody who removes what has fallen out of it.
//!
//! ## What it does
//!
//! Reports a workflow with effects and bookkeeping of its own (strategy `table` or `external`)
//! without `[cleanup]`, or with one that states no `every`.
//!
//! ## Why it hurts
//!
//! An expired row counts as absent but still takes space. Without a sweep the table grows for ever,
//! until somebody deletes from it in a hurry and blocks every claim.
//!
//! ## Bad
//!
//! ```toml
//! # without cleanup
//! ```
//!
//! ## Good
//!
//! ```toml
//! [cleanup]
//! every = "1m"
//! batch = 1000
//! ```
//!
//! ## Source
//!
//! crpg2/crpg#383: a worker that deletes old keys was written after the table had grown.

use crate::{Check, Contract, Findings, Fixable, Group, Place, Rule, Severity, timing};

pub(super) static MISSING_CLEANUP: Rule = Rule {
    id: "missing-cleanup",
    group: Group::Window,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Sql],
    core: false,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("missing_cleanup.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let cleanup = &contract.cleanup;
    if !timing::claims(contract) || !cleanup.every.is_absent() {
        return;
    }
    let (message, entry) = if cleanup.header.is_none() {
        (
            "nothing removes rows whose window is over",
            "every = \"1m\"\nbatch = 1000",
        )
    } else {
        (
            "the cleanup does not say how often it runs",
            "every = \"1m\"",
        )
    };
    findings
        .report(
            contract.table_anchor(cleanup.header),
            "cleanup.every",
            message,
            "an expired row counts as absent and still takes space: the table grows for ever",
            "write `[cleanup]` with `every = \"1m\"` and `batch = 1000`",
        )
        .fix(contract.add_setting(cleanup.header, "cleanup", entry));
}

#[cfg(test)]
mod tests {
    use super::MISSING_CLEANUP as RULE;
    use crate::testing::{bad, good};

    #[test]
    fn no_cleanup_gets_a_whole_one() {
        let found = bad(&RULE, "# without [cleanup]\n");
        let fix = found[0].fix.as_ref().expect("a fix");
        assert_eq!(
            fix.edits[0].text,
            "\n[cleanup]\nevery = \"1m\"\nbatch = 1000\n"
        );
    }

    #[test]
    fn a_cleanup_that_never_runs_is_none() {
        bad(&RULE, "[cleanup]\nbatch = 1000\n");
    }

    #[test]
    fn who_keeps_no_rows_removes_none() {
        good(
            &RULE,
            "strategy = \"upsert\"\n[upsert]\nconflict_target = [\"order_id\"]\n",
        );
    }
}
