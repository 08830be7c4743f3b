//! # unowned-dead-letter
//!
//! Operations that need a person, and no person named.
//!
//! ## What it does
//!
//! Reports a workflow with effects whose `[dead_letter]` lacks `owner`, `channel` or `deadline`, or
//! is not there at all.
//!
//! ## Why it hurts
//!
//! An ambiguous or exhausted operation stays as it is until somebody settles it. Without an owner it
//! is found weeks later by the customer; without a deadline nobody knows that it is late.
//!
//! ## Bad
//!
//! ```toml
//! [dead_letter]
//! owner = "payments-oncall"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [dead_letter]
//! owner = "payments-oncall"
//! channel = "#payments-incidents"
//! deadline = "4h"
//! ```
//!
//! ## Source
//!
//! idem's claim: each ambiguous or exhausted case is one dead-letter record, logged with the
//! contract's owner and channel.

use crate::{Check, Contract, Findings, Fixable, Group, Place, Rule, Severity};

pub(super) static UNOWNED_DEAD_LETTER: Rule = Rule {
    id: "unowned-dead-letter",
    group: Group::Commit,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("unowned_dead_letter.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    if contract.effects.is_empty() {
        return;
    }
    let dead_letter = &contract.dead_letter;
    let missing: Vec<&str> = [
        ("owner", dead_letter.owner.is_absent()),
        ("channel", dead_letter.channel.is_absent()),
        ("deadline", dead_letter.deadline.is_absent()),
    ]
    .into_iter()
    .filter_map(|(name, absent)| absent.then_some(name))
    .collect();
    let Some((last, others)) = missing.split_last() else {
        return;
    };
    let named = if others.is_empty() {
        (*last).to_owned()
    } else {
        format!("{} and {last}", others.join(", "))
    };
    findings.report(
        contract.table_anchor(dead_letter.header),
        "dead_letter",
        format!("the dead letter has no {named}"),
        "an operation that is ambiguous or given up stays as it is until somebody settles it",
        "write `[dead_letter]` with `owner` (who is paged), `channel` (where it is said) and `deadline` (by when it is settled)",
    );
}

#[cfg(test)]
mod tests {
    use super::UNOWNED_DEAD_LETTER as RULE;
    use crate::rules::examples::source;
    use crate::testing::{alone, bad};

    #[test]
    fn what_is_missing_is_named() {
        let found = bad(&RULE, "[dead_letter]\nowner = \"oncall\"\n");
        assert_eq!(
            found[0].message,
            "the dead letter has no channel and deadline"
        );
        let found = bad(
            &RULE,
            "[dead_letter]\nowner = \"oncall\"\nchannel = \"#c\"\n",
        );
        assert_eq!(found[0].message, "the dead letter has no deadline");
    }

    #[test]
    fn no_dead_letter_at_all_is_one_finding() {
        let found = alone(&RULE, &source("# without [dead_letter]\n"));
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].message,
            "the dead letter has no owner, channel and deadline"
        );
    }

    #[test]
    fn without_effects_nothing_needs_a_person() {
        assert!(
            alone(
                &RULE,
                &source("# without [dead_letter]\n# without [effects]\n")
            )
            .is_empty()
        );
    }
}
