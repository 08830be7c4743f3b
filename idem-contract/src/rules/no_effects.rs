//! # no-effects
//!
//! A contract without effects: it protects nothing.
//!
//! ## What it does
//!
//! Reports a contract that declares no `[[effects]]`. No other rule about claims, windows or
//! dead letters speaks of such a contract.
//!
//! ## Why it hurts
//!
//! Everything that keeps an effect from happening twice is derived from the declared effects. A
//! handler whose writes are not declared looks protected and is not.
//!
//! ## Bad
//!
//! ```toml
//! # without effects
//! ```
//!
//! ## Good
//!
//! ```toml
//! [[effects]]
//! name = "refunds"
//! kind = "local"
//! target = "refunds"
//! change = "insert"
//! ```
//!
//! ## Source
//!
//! idem's contract: everything else is derived from it.

use crate::{Check, Contract, Findings, Fixable, Group, Place, Rule, Severity};

pub(super) static NO_EFFECTS: Rule = Rule {
    id: "no-effects",
    group: Group::Commit,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("no_effects.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    if !contract.complete || !contract.effects.is_empty() {
        return;
    }
    findings.report(
        contract.anchor(),
        "effects",
        "the contract declares no effects, so it protects nothing",
        "claim, mode, dead letter and drill are derived from the effects",
        "write one `[[effects]]` for each thing the workflow writes or calls",
    );
}

#[cfg(test)]
mod tests {
    use super::NO_EFFECTS as RULE;
    use crate::parse;
    use crate::rules::examples::source;
    use crate::testing::{alone, unchecked};

    #[test]
    fn a_contract_without_effects_is_said_to_protect_nothing() {
        let found = alone(&RULE, &source("# without [effects]\n"));
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn an_effect_that_a_broken_line_has_hidden_is_not_missing() {
        let text = source("effects = \"orders\"\n");
        assert!(parse(text.as_bytes()).contract.effects.is_empty());
        assert_eq!(unchecked(&RULE, &text), []);
    }
}
