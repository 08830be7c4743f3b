//! # missing-window
//!
//! Nothing says how long a finished operation is remembered.
//!
//! ## What it does
//!
//! Reports a workflow with effects and bookkeeping of its own (strategy `table` or `external`)
//! whose `[claim]` states no `window`.
//!
//! ## Why it hurts
//!
//! The window is the promise: within it a repetition is recognised, after it the same event is new
//! work. Without a number, either the table grows for ever or somebody cleans it by feeling.
//!
//! ## Bad
//!
//! ```toml
//! # without claim.window
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
//! draft-ietf-httpapi-idempotency-key-header: a resource defines and publishes how long it keeps
//! keys.

use std::time::Duration;

use crate::timing::{self, text};
use crate::{Check, Contract, Findings, Fixable, Group, Place, Rule, Severity};

pub(super) static MISSING_WINDOW: Rule = Rule {
    id: "missing-window",
    group: Group::Window,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("missing_window.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    if !timing::claims(contract) || !contract.claim.window.is_absent() {
        return;
    }
    let horizon = timing::redelivery(contract).filter(|sum| sum.total > Duration::ZERO);
    let help = horizon.as_ref().map_or_else(
        || "write `window = \"30d\"` in `[claim]`: longer than the event can come again".to_owned(),
        |sum| {
            format!(
                "write `window = \"{}\"` or more in `[claim]`: {}",
                text(sum.total),
                sum.formula()
            )
        },
    );
    let finding = findings.report(
        contract.table_anchor(contract.claim.header),
        "claim.window",
        "the claim has no window",
        "nobody knows how long a repetition is recognised, or when a row may be removed",
        help,
    );
    if let Some(sum) = &horizon {
        sum.label(finding);
    }
}

#[cfg(test)]
mod tests {
    use super::MISSING_WINDOW as RULE;
    use crate::testing::{bad, good};

    const CLAIM: &str = "[claim]\nlease = \"30s\"\nmax_attempts = 5\n";

    #[test]
    fn the_horizon_is_proposed_where_it_is_known() {
        let found = bad(
            &RULE,
            &format!(
                "[trigger]\nkind = \"webhook\"\nredelivers_for = \"3d\"\ndead_letter_for = \"14d\"\n{CLAIM}"
            ),
        );
        assert!(
            found[0].help.contains("`window = \"17d\"` or more"),
            "{}",
            found[0].help
        );
        assert!(
            bad(&RULE, &format!("[trigger]\nkind = \"http\"\n{CLAIM}"))[0]
                .help
                .contains("`window = \"30d\"`")
        );
    }

    #[test]
    fn forever_is_a_window() {
        good(&RULE, &format!("{CLAIM}window = \"forever\"\n"));
    }
}
