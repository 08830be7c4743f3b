//! # irreversible-before-fallible
//!
//! What cannot be undone is done before something that can still fail.
//!
//! ## What it does
//!
//! Reports an `irreversible` effect that is declared before a `local`, `keyed-remote` or `remote`
//! one. Effects are declared in the order in which they are performed.
//!
//! ## Why it hurts
//!
//! When the later effect fails, the mail that announces it has already gone out. Done last, the
//! irreversible effect is reached only when everything else has worked.
//!
//! ## Bad
//!
//! ```toml
//! [[effects]]
//! name = "receipt-mail"
//! kind = "irreversible"
//! on_ambiguous = "dead-letter"
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
//! [[effects]]
//! name = "provider-refund"
//! kind = "keyed-remote"
//! key_header = "Idempotency-Key"
//!
//! [[effects]]
//! name = "receipt-mail"
//! kind = "irreversible"
//! on_ambiguous = "dead-letter"
//! ```
//!
//! ## Source
//!
//! Garcia-Molina and Salem, "Sagas", SIGMOD 1987: the step that cannot be compensated comes after
//! those that can.

use crate::{Check, Contract, EffectKind, Findings, Fixable, Group, Place, Rule, Severity};

pub(super) static IRREVERSIBLE_BEFORE_FALLIBLE: Rule = Rule {
    id: "irreversible-before-fallible",
    group: Group::Commit,
    severity: Severity::Warn,
    places: &[Place::Contract],
    core: false,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("irreversible_before_fallible.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    for (place, effect) in contract.effects.iter().enumerate() {
        let Some(kind) = effect.kind.given() else {
            continue;
        };
        if kind.value != EffectKind::Irreversible {
            continue;
        }
        // The last one that can fail: the irreversible effect belongs behind it.
        let Some((later, fallible)) = contract.effects[place..].iter().rev().find_map(|later| {
            let kind = later.kind.given()?;
            (kind.value != EffectKind::Irreversible).then_some((later, kind))
        }) else {
            continue;
        };
        findings
            .report(
                kind.span,
                format!("effects.{}", effect.label()),
                format!(
                    "`{}` cannot be undone, and `{}` after it can still fail",
                    effect.label(),
                    later.label()
                ),
                "when the later effect fails, the irreversible one has already happened",
                format!(
                    "move `{}` behind `{}`, in the contract and in the handler",
                    effect.label(),
                    later.label()
                ),
            )
            .also(
                fallible.span,
                format!("`{}` is performed later", later.label()),
            );
    }
}

#[cfg(test)]
mod tests {
    use super::IRREVERSIBLE_BEFORE_FALLIBLE as RULE;
    use crate::testing::{bad, good};

    const MAIL: &str =
        "[[effects]]\nname = \"mail\"\nkind = \"irreversible\"\non_ambiguous = \"dead-letter\"\n";
    const FAX: &str =
        "[[effects]]\nname = \"fax\"\nkind = \"irreversible\"\non_ambiguous = \"dead-letter\"\n";
    const ROW: &str = "[[effects]]\nname = \"orders\"\nkind = \"local\"\n";

    #[test]
    fn it_is_told_what_to_come_behind() {
        let found = bad(&RULE, &format!("{MAIL}{ROW}{FAX}"));
        assert_eq!(found.len(), 1);
        assert!(found[0].help.starts_with("move `mail` behind `orders`"));
    }

    #[test]
    fn last_is_the_right_place_also_for_two() {
        good(&RULE, &format!("{ROW}{MAIL}{FAX}"));
        good(&RULE, MAIL);
    }
}
