//! # upsert-without-conflict-target
//!
//! Strategy `upsert` without the columns that make two rows the same row.
//!
//! ## What it does
//!
//! Reports strategy `upsert` without `[upsert] conflict_target`.
//!
//! ## Why it hurts
//!
//! Without a unique column to collide on, the statement inserts: each redelivery adds a row.
//!
//! ## Bad
//!
//! ```toml
//! strategy = "upsert"
//! ```
//!
//! ## Good
//!
//! ```toml
//! strategy = "upsert"
//!
//! [upsert]
//! conflict_target = ["order_id"]
//! ```
//!
//! ## Source
//!
//! PostgreSQL's documentation of INSERT: ON CONFLICT DO UPDATE requires a conflict target.

use crate::{
    Check, Contract, Findings, Fixable, Group, Place, Rule, Setting, Severity, Strategy, name,
};

pub(super) static UPSERT_WITHOUT_CONFLICT_TARGET: Rule = Rule {
    id: "upsert-without-conflict-target",
    group: Group::Commit,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Sql],
    core: false,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("upsert_without_conflict_target.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(strategy) = contract.strategy.given() else {
        return;
    };
    if strategy.value != Strategy::Upsert {
        return;
    }
    let header = contract.upsert.header;
    let (span, message) = match &contract.upsert.conflict_target {
        Setting::Unreadable(_) => return,
        Setting::Given(target) if !target.value.is_empty() => return,
        Setting::Given(target) => (target.span, "the conflict target of an upsert is empty"),
        Setting::Absent => (
            header.map_or(strategy.span, |header| header.span),
            "strategy \"upsert\" without a conflict target",
        ),
    };
    let suggestion = contract
        .key
        .fields
        .get()
        .filter(|fields| !fields.is_empty())
        .map_or_else(
            || "\"order_id\"".to_owned(),
            |fields| {
                let quoted: Vec<String> = fields
                    .iter()
                    .map(|field| name::quoted(&field.value))
                    .collect();
                quoted.join(", ")
            },
        );
    findings.report(
        span,
        "upsert.conflict_target",
        message,
        "without a unique column to collide on, each redelivery adds a row",
        format!(
            "write `conflict_target = [{suggestion}]` in `[upsert]`: the columns of a unique index"
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::UPSERT_WITHOUT_CONFLICT_TARGET as RULE;
    use crate::rules::examples::source;
    use crate::testing::{alone, good};

    #[test]
    fn an_absent_target_is_answered_with_the_key() {
        let text = source("strategy = \"upsert\"\n");
        let found = alone(&RULE, &text);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].help.contains("[\"tenant_id\", \"refund_id\"]"),
            "{}",
            found[0].help
        );
    }

    #[test]
    fn a_target_is_enough_and_other_strategies_need_none() {
        let none = "strategy = \"upsert\"\n[upsert]\nconflict_target = []\n";
        assert_eq!(alone(&RULE, &source(none)).len(), 1);
        let upsert = "strategy = \"upsert\"\n[upsert]\nconflict_target = [\"order_id\"]\n";
        assert!(alone(&RULE, &source(upsert)).is_empty());
        good(&RULE, "");
    }
}
