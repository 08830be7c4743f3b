//! # order-drops-inserts
//!
//! `[ordering]` skips a stale delivery whole, and with it a row that should have been added.
//!
//! ## What it does
//!
//! Reports an effect with `change = "insert"` in a contract with `[ordering]`.
//!
//! ## Why it hurts
//!
//! A stale delivery changes nothing. For a value that is set this is right: a newer one is already
//! there. A row in a ledger or a history is due for each event, in whatever order they come; skipped,
//! it is missing for good.
//!
//! ## Bad
//!
//! ```toml
//! [ordering]
//! entity = "order_id"
//! version = "sequence"
//! when_stale = "acknowledge"
//!
//! [[effects]]
//! name = "order-history"
//! kind = "local"
//! target = "order_history"
//! change = "insert"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [[effects]]
//! name = "order-history"
//! kind = "local"
//! target = "order_history"
//! change = "insert"
//! ```
//!
//! ## Source
//!
//! idem's claim: the order guard is for effects that set a value; an insert beside them is skipped
//! too.

use crate::{Change, Check, Contract, Findings, Fixable, Group, Place, Rule, Severity};

pub(super) static ORDER_DROPS_INSERTS: Rule = Rule {
    id: "order-drops-inserts",
    group: Group::Order,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("order_drops_inserts.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(ordering) = contract.ordering.header else {
        return;
    };
    for effect in &contract.effects {
        let Some(change) = effect.change.given() else {
            continue;
        };
        if change.value != Change::Insert {
            continue;
        }
        findings
            .report(
                change.span,
                format!("effects.{}.change", effect.label()),
                format!(
                    "a stale delivery is skipped whole, and `{}` then lacks a row",
                    effect.label()
                ),
                "a row is due for each event, in whatever order they come",
                "give the insert a workflow of its own without `[ordering]`",
            )
            .also(ordering.span, "skips every delivery that is not newer");
    }
}

#[cfg(test)]
mod tests {
    use super::ORDER_DROPS_INSERTS as RULE;
    use crate::testing::{bad, good};

    const GUARD: &str =
        "[ordering]\nentity = \"order_id\"\nversion = \"sequence\"\nwhen_stale = \"acknowledge\"\n";

    #[test]
    fn each_insert_behind_the_guard_is_named() {
        let found = bad(
            &RULE,
            &format!(
                "{GUARD}[[effects]]\nname = \"orders\"\nkind = \"local\"\nchange = \"insert\"\n"
            ),
        );
        assert_eq!(found[0].path, "effects.orders.change");
    }

    #[test]
    fn what_is_set_may_be_skipped_and_what_is_not_guarded_is_not_skipped() {
        good(
            &RULE,
            &format!("{GUARD}[[effects]]\nname = \"orders\"\nkind = \"local\"\nchange = \"set\"\n"),
        );
        good(&RULE, "");
    }
}
