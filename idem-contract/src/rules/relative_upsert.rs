//! # relative-upsert
//!
//! Strategy `upsert` with a change that adds or subtracts: each redelivery adds once more.
//!
//! ## What it does
//!
//! Reports an effect with `change = "relative"` in a contract with strategy `upsert`.
//!
//! ## Why it hurts
//!
//! An upsert is idempotent because writing the same value twice leaves the same value. Adding to a
//! value is not: the second delivery finds the row and adds again.
//!
//! ## Bad
//!
//! ```toml
//! strategy = "upsert"
//!
//! [upsert]
//! conflict_target = ["order_id"]
//!
//! [[effects]]
//! name = "stock"
//! kind = "local"
//! target = "stock"
//! change = "relative"
//! ```
//!
//! ## Good
//!
//! ```toml
//! strategy = "upsert"
//!
//! [upsert]
//! conflict_target = ["order_id"]
//!
//! [ordering]
//! entity = "order_id"
//! version = "sequence"
//! when_stale = "acknowledge"
//!
//! [[effects]]
//! name = "stock"
//! kind = "local"
//! target = "stock"
//! change = "set"
//! ```
//!
//! ## Source
//!
//! KanishJebaMathewM/Truxify#13104: a wallet credit was applied twice by a redelivery.

use crate::{Change, Check, Contract, Findings, Fixable, Group, Place, Rule, Severity, Strategy};

pub(super) static RELATIVE_UPSERT: Rule = Rule {
    id: "relative-upsert",
    group: Group::Commit,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Sql],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("relative_upsert.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(strategy) = contract.strategy.given() else {
        return;
    };
    if strategy.value != Strategy::Upsert {
        return;
    }
    for effect in &contract.effects {
        let Some(change) = effect.change.given() else {
            continue;
        };
        if change.value != Change::Relative {
            continue;
        }
        findings
            .report(
                change.span,
                format!("effects.{}.change", effect.label()),
                format!(
                    "`{}` adds to a value, and strategy \"upsert\" remembers nothing but the value",
                    effect.label()
                ),
                "a redelivery finds the row and adds once more",
                "write the value itself (`change = \"set\"`), or `strategy = \"table\"` so that the operation is remembered",
            )
            .also(strategy.span, "no bookkeeping besides the row itself")
            .race(&[
                "worker A: updates stock = stock - 1 and commits; its answer is lost",
                "worker B: gets the redelivery, updates stock = stock - 1 and commits",
            ]);
    }
}

#[cfg(test)]
mod tests {
    use super::RELATIVE_UPSERT as RULE;
    use crate::rules::examples::source;
    use crate::testing::{alone, good};

    const UPSERT: &str = "strategy = \"upsert\"\n[upsert]\nconflict_target = [\"order_id\"]\n";

    #[test]
    fn adding_twice_is_not_writing_twice() {
        let row = |change: &str| {
            format!(
                "{UPSERT}[[effects]]\nname = \"stock\"\nkind = \"local\"\nchange = \"{change}\"\n"
            )
        };
        assert_eq!(alone(&RULE, &source(&row("relative"))).len(), 1);
        assert!(alone(&RULE, &source(&row("set"))).is_empty());
    }

    #[test]
    fn a_claim_makes_adding_safe() {
        good(
            &RULE,
            "[[effects]]\nname = \"stock\"\nkind = \"local\"\nchange = \"relative\"\n",
        );
    }
}
