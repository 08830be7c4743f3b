//! # entity-strategy-too-wide
//!
//! A memory that lives in one row, for changes that do not.
//!
//! ## What it does
//!
//! With strategy `upsert` or `entity`, reports a local effect on another table or store than the
//! first one, and an effect of kind `remote` or `irreversible`. (`keyed-remote` is
//! `header-as-only-guard`.)
//!
//! ## Why it hurts
//!
//! These strategies remember the operation in the row that it changes. A second table, or a call
//! outside, has no such memory: an attempt that died after the first change repeats or loses the
//! second.
//!
//! ## Bad
//!
//! ```toml
//! strategy = "entity"
//!
//! [entity]
//! field = "order_id"
//! memory = "processed_ids"
//!
//! [[effects]]
//! name = "orders"
//! kind = "local"
//! target = "orders"
//! change = "insert"
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
//! strategy = "table"
//!
//! [[effects]]
//! name = "orders"
//! kind = "local"
//! target = "orders"
//! change = "insert"
//!
//! [[effects]]
//! name = "stock"
//! kind = "local"
//! target = "stock"
//! change = "relative"
//! ```
//!
//! ## Source
//!
//! idem's claim: `entity` is for changes that all belong to one entity, `upsert` for one table.

use crate::{
    Check, Contract, EffectKind, Findings, Fixable, Group, Place, Rule, Severity, Span, Strategy,
};

pub(super) static ENTITY_STRATEGY_TOO_WIDE: Rule = Rule {
    id: "entity-strategy-too-wide",
    group: Group::Commit,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("entity_strategy_too_wide.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(strategy) = contract.strategy.given() else {
        return;
    };
    if !matches!(strategy.value, Strategy::Upsert | Strategy::Entity) {
        return;
    }
    let word = strategy.value.as_str();
    let mut first: Option<((&str, &str), Span)> = None;
    for effect in &contract.effects {
        let label = effect.label();
        let (span, path, message) = match (effect.kind.given(), effect.target.given()) {
            (Some(kind), _)
                if matches!(kind.value, EffectKind::Remote | EffectKind::Irreversible) =>
            {
                (
                    kind.span,
                    format!("effects.{label}.kind"),
                    format!(
                        "strategy \"{word}\" remembers in one row, and `{label}` happens outside it"
                    ),
                )
            }
            (Some(kind), Some(target)) if kind.value == EffectKind::Local => {
                let place = (effect.store(), target.value.as_str());
                match first {
                    None => {
                        first = Some((place, target.span));
                        continue;
                    }
                    Some((known, _)) if known == place => continue,
                    Some(((_, table), _)) => (
                        target.span,
                        format!("effects.{label}.target"),
                        format!(
                            "strategy \"{word}\" remembers in `{table}`, and `{label}` changes `{}`",
                            target.value
                        ),
                    ),
                }
            }
            (Some(_) | None, _) => continue,
        };
        let finding = findings.report(
            span,
            path,
            message,
            "an attempt that dies after the first change repeats or loses the second",
            "write `strategy = \"table\"`: one claim then covers all effects",
        );
        finding.also(strategy.span, "keeps no bookkeeping beside the row");
        if let Some(((_, table), span)) = first {
            finding.also(span, format!("the memory is in `{table}`"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ENTITY_STRATEGY_TOO_WIDE as RULE;
    use crate::rules::examples::source;
    use crate::testing::{alone, good};

    const UPSERT: &str = "strategy = \"upsert\"\n[upsert]\nconflict_target = [\"order_id\"]\n";
    const ENTITY: &str =
        "strategy = \"entity\"\n[entity]\nfield = \"order_id\"\nmemory = \"last_version\"\n";

    fn row(name: &str, place: &str) -> String {
        format!("[[effects]]\nname = \"{name}\"\nkind = \"local\"\n{place}")
    }

    #[test]
    fn a_second_table_or_store_has_no_memory() {
        for strategy in [UPSERT, ENTITY] {
            for second in [
                "target = \"stock\"\n",
                "target = \"orders\"\nstore = \"audit\"\n",
            ] {
                let sections = [
                    strategy,
                    &row("a", "target = \"orders\"\n"),
                    &row("b", second),
                ]
                .concat();
                let found = alone(&RULE, &source(&sections));
                assert_eq!(found.len(), 1, "{sections}");
                assert_eq!(found[0].path, "effects.b.target");
                assert_eq!(found[0].related.len(), 2);
            }
        }
    }

    #[test]
    fn a_call_outside_has_no_memory_either() {
        let mail = "[[effects]]\nname = \"mail\"\nkind = \"irreversible\"\non_ambiguous = \"dead-letter\"\n";
        assert_eq!(alone(&RULE, &source(&format!("{ENTITY}{mail}"))).len(), 1);
    }

    #[test]
    fn two_changes_of_one_table_are_one_place() {
        let place = "target = \"orders\"\n";
        let sections = [ENTITY, &row("a", place), &row("b", place), &row("c", "")].concat();
        assert!(alone(&RULE, &source(&sections)).is_empty());
    }

    #[test]
    fn a_claim_covers_any_number_of_tables() {
        let sections = [row("a", "target = \"x\"\n"), row("b", "target = \"y\"\n")].concat();
        good(&RULE, &sections);
    }
}
