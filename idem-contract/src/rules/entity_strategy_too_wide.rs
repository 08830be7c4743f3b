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
