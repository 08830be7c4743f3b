//! # header-as-only-guard
//!
//! The provider's key header guards one call; nothing guards the effects beside it.
//!
//! ## What it does
//!
//! Reports a `keyed-remote` effect beside other effects in a contract with strategy `upsert` or
//! `entity`, which keep no claim of their own.
//!
//! ## Why it hurts
//!
//! The header makes the provider answer a repeated call with the first result. It says nothing of
//! the other effects, and the provider forgets it, often after a day. Without a claim nobody knows
//! which effects of a half-finished attempt have happened.
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
//! name = "orders"
//! kind = "local"
//! target = "orders"
//! change = "insert"
//!
//! [[effects]]
//! name = "provider-refund"
//! kind = "keyed-remote"
//! key_header = "Idempotency-Key"
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
//! name = "provider-refund"
//! kind = "keyed-remote"
//! key_header = "Idempotency-Key"
//! ```
//!
//! ## Source
//!
//! triggerdotdev/trigger.dev#4650: a key that merges triggers protects no call made inside the job,
//! and a provider's window is limited.

use crate::{
    Check, Contract, EffectKind, Findings, Fixable, Group, Place, Rule, Severity, Strategy,
};

pub(super) static HEADER_AS_ONLY_GUARD: Rule = Rule {
    id: "header-as-only-guard",
    group: Group::Commit,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("header_as_only_guard.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(strategy) = contract.strategy.given() else {
        return;
    };
    if !matches!(strategy.value, Strategy::Upsert | Strategy::Entity) || contract.effects.len() < 2
    {
        return;
    }
    for effect in &contract.effects {
        let Some(kind) = effect.kind.given() else {
            continue;
        };
        if kind.value != EffectKind::KeyedRemote {
            continue;
        }
        findings
            .report(
                kind.span,
                format!("effects.{}.kind", effect.label()),
                format!(
                    "the provider's header is the only guard of `{}`, and there are other effects beside it",
                    effect.label()
                ),
                "the header covers one call for as long as the provider remembers it; no claim covers the rest",
                "write `strategy = \"table\"`: the claim then covers all effects, and the header the one call",
            )
            .also(
                strategy.span,
                format!("strategy \"{}\" keeps no claim", strategy.value.as_str()),
            )
            .race(&[
                "worker A: calls the provider with the key, and fails in a later effect",
                "worker A: answers with an error, so the sender will come again",
                "worker B: gets the redelivery after the provider forgot the key and calls again",
            ]);
    }
}

#[cfg(test)]
mod tests {
    use super::HEADER_AS_ONLY_GUARD as RULE;
    use crate::rules::examples::source;
    use crate::testing::{alone, good};

    const LABEL: &str =
        "[[effects]]\nname = \"label\"\nkind = \"keyed-remote\"\nkey_header = \"K\"\n";
    const ROW: &str = "[[effects]]\nname = \"orders\"\nkind = \"local\"\n";
    const UPSERT: &str = "strategy = \"upsert\"\n[upsert]\nconflict_target = [\"order_id\"]\n";
    #[test]
    fn a_header_beside_a_row_guards_half() {
        for strategy in [
            UPSERT,
            "strategy = \"entity\"\n[entity]\nfield = \"order_id\"\nmemory = \"processed_ids\"\n",
        ] {
            let text = source(&format!("{strategy}{ROW}{LABEL}"));
            let found = alone(&RULE, &text);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].path, "effects.label.kind");
        }
    }

    #[test]
    fn a_header_alone_or_in_front_of_a_claim_is_enough() {
        assert!(alone(&RULE, &source(&format!("{UPSERT}{LABEL}"))).is_empty());
        good(&RULE, &format!("{ROW}{LABEL}"));
    }
}
