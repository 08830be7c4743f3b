//! # external-gap
//!
//! Bookkeeping in a key-value store beside effects in a transactional database.
//!
//! ## What it does
//!
//! Reports strategy `external` in a contract with an effect of kind `local`. Local effects are taken
//! to be in a transactional database, which could hold the bookkeeping as well.
//!
//! ## Why it hurts
//!
//! The key-value store shares no transaction with the database. A crash after the business commit
//! and before "done" is written leaves work that nobody remembers; its retry does the work again.
//! With strategy `table` the two are one commit and there is no such moment.
//!
//! ## Bad
//!
//! ```toml
//! strategy = "external"
//!
//! [external]
//! store = "redis"
//!
//! [[effects]]
//! name = "usage"
//! kind = "local"
//! target = "usage"
//! change = "insert"
//! ```
//!
//! ## Good
//!
//! ```toml
//! strategy = "table"
//!
//! [[effects]]
//! name = "usage"
//! kind = "local"
//! target = "usage"
//! change = "insert"
//! ```
//!
//! ## Source
//!
//! openmeterio/openmeter#4485: the batch was stored, the keys in Redis were not.

use crate::{
    Check, Contract, EffectKind, Findings, Fixable, Group, Place, Rule, Severity, Strategy,
};

pub(super) static EXTERNAL_GAP: Rule = Rule {
    id: "external-gap",
    group: Group::Commit,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("external_gap.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(strategy) = contract.strategy.given() else {
        return;
    };
    let local: Vec<_> = contract
        .effects
        .iter()
        .filter(|effect| effect.kind.get() == Some(&EffectKind::Local))
        .collect();
    let Some(first) = local.first() else {
        return;
    };
    if strategy.value != Strategy::External {
        return;
    }
    let finding = findings.report(
        strategy.span,
        "strategy",
        format!(
            "the bookkeeping is in a store that shares no transaction with `{}`",
            first.label()
        ),
        "a crash after the database commit and before \"done\" is written does the work twice",
        "write `strategy = \"table\"`: claim, work and completion are then one commit in that database",
    );
    for effect in local {
        if let Some(kind) = effect.kind.given() {
            finding.also(
                kind.span,
                format!("`{}` is in a transactional database", effect.label()),
            );
        }
    }
    finding.race(&[
        "worker A: claims the key in the key-value store",
        "worker A: commits the work in the database and crashes before it writes \"done\"",
        "worker B: finds the lease over, takes over and commits the work once more",
    ]);
}

#[cfg(test)]
mod tests {
    use super::EXTERNAL_GAP as RULE;
    use crate::testing::{bad, good};

    const REDIS: &str = "strategy = \"external\"\n[external]\nstore = \"redis\"\n";

    #[test]
    fn a_local_effect_could_have_held_the_bookkeeping() {
        let found = bad(&RULE, REDIS);
        assert_eq!(found[0].path, "strategy");
        assert_eq!(found[0].related.len(), 1);
    }

    #[test]
    fn without_a_database_there_is_nothing_to_share() {
        good(
            &RULE,
            &format!(
                "{REDIS}[[effects]]\nname = \"push\"\nkind = \"irreversible\"\non_ambiguous = \"dead-letter\"\n"
            ),
        );
    }
}
