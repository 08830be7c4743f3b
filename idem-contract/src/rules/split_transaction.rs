//! # split-transaction
//!
//! A local effect in another database than the bookkeeping: two commits, and a crash between them.
//!
//! ## What it does
//!
//! With strategy `table`, reports an effect of kind `local` whose `store` is not `main`. `main` is
//! the database that holds the bookkeeping.
//!
//! ## Why it hurts
//!
//! Two databases have two commits. Whichever comes first, a crash can come in between: either the
//! work is done and not remembered, so it is done again, or it is remembered and not done, so it is
//! lost.
//!
//! ## Bad
//!
//! ```toml
//! [[effects]]
//! name = "risk-register"
//! kind = "local"
//! store = "reporting"
//! target = "risks"
//! change = "insert"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [[effects]]
//! name = "risk-register"
//! kind = "local"
//! store = "main"
//! target = "risks"
//! change = "insert"
//! ```
//!
//! ## Source
//!
//! opendefender/OpenRisk#344: the event row was written after the business transaction had been
//! committed.

use crate::{
    Check, Contract, EffectKind, Findings, Fixable, Group, Place, Rule, Severity, Strategy, timing,
};

pub(super) static SPLIT_TRANSACTION: Rule = Rule {
    id: "split-transaction",
    group: Group::Commit,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("split_transaction.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    if !timing::claims(contract) || contract.strategy() != Strategy::Table {
        return;
    }
    for effect in &contract.effects {
        let Some(store) = effect.store.given() else {
            continue;
        };
        if effect.kind.get() != Some(&EffectKind::Local) || store.value == "main" {
            continue;
        }
        findings
            .report(
                store.span,
                format!("effects.{}.store", effect.label()),
                format!(
                    "`{}` is written to store `{}`, the bookkeeping to `main`: two commits",
                    effect.label(),
                    store.value
                ),
                "a crash between the two commits leaves work that is not remembered, and a retry does it again",
                format!(
                    "write to `main`, or let a workflow of its own, with its bookkeeping in `{}`, do this write",
                    store.value
                ),
            )
            .race(&[
                "worker A: commits the row in the other store",
                "worker A: crashes before the completion is committed in main",
                "worker B: finds the lease over, takes over and commits the row once more",
            ]);
    }
}

#[cfg(test)]
mod tests {
    use super::SPLIT_TRANSACTION as RULE;
    use crate::testing::{bad, good};

    #[test]
    fn each_effect_in_another_store_is_two_commits() {
        let effect = |name: &str, store: &str| {
            format!("[[effects]]\nname = \"{name}\"\nkind = \"local\"\nstore = \"{store}\"\n")
        };
        let sections = [
            effect("a", "main"),
            effect("b", "reports"),
            effect("c", "audit"),
        ]
        .concat();
        let paths: Vec<String> = bad(&RULE, &sections)
            .into_iter()
            .map(|found| found.path)
            .collect();
        assert_eq!(paths, ["effects.b.store", "effects.c.store"]);
    }

    #[test]
    fn an_outside_effect_is_in_no_database_of_ours() {
        good(
            &RULE,
            "[[effects]]\nname = \"label\"\nkind = \"keyed-remote\"\nkey_header = \"K\"\n",
        );
    }
}
