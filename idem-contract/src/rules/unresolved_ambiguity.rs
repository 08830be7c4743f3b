//! # unresolved-ambiguity
//!
//! An irreversible effect, and no word on what to do when nobody knows whether it happened.
//!
//! ## What it does
//!
//! Reports an effect of kind `irreversible` without `on_ambiguous`.
//!
//! ## Why it hurts
//!
//! A worker can die between the call and the record of it. The row then says "begun" and nothing
//! more. Running the effect again may do it twice, marking it done may lose it: only a person, or a
//! probe that asks the other side, can tell.
//!
//! ## Bad
//!
//! ```toml
//! [[effects]]
//! name = "receipt-mail"
//! kind = "irreversible"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [[effects]]
//! name = "receipt-mail"
//! kind = "irreversible"
//! on_ambiguous = "dead-letter"
//! ```
//!
//! ## Source
//!
//! Gray and Reuter, "Transaction Processing: Concepts and Techniques": real actions cannot be undone
//! and have to be tested for before they are repeated.

use crate::{Check, Contract, EffectKind, Findings, Fixable, Group, Place, Rule, Severity};

pub(super) static UNRESOLVED_AMBIGUITY: Rule = Rule {
    id: "unresolved-ambiguity",
    group: Group::Commit,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Attribute],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("unresolved_ambiguity.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    for effect in &contract.effects {
        let Some(kind) = effect.kind.given() else {
            continue;
        };
        if kind.value != EffectKind::Irreversible || !effect.on_ambiguous.is_absent() {
            continue;
        }
        findings
            .report(
                kind.span,
                format!("effects.{}.on_ambiguous", effect.label()),
                format!(
                    "`{}` cannot be undone, and nothing says what happens when its outcome is unknown",
                    effect.label()
                ),
                "after a crash during the call neither running it again nor leaving it is right",
                "write `on_ambiguous = \"dead-letter\"` (a person decides), or `\"probe\"` with `probe = \"name\"`",
            )
            .race(&[
                "worker A: writes \"begun\", calls out and dies before it can write the outcome",
                "worker B: takes over and sees \"begun\": it may have happened, it may not",
            ]);
    }
}

#[cfg(test)]
mod tests {
    use super::UNRESOLVED_AMBIGUITY as RULE;
    use crate::testing::{bad, good};

    #[test]
    fn every_irreversible_effect_needs_a_plan() {
        let mail = "[[effects]]\nname = \"mail\"\nkind = \"irreversible\"\n";
        bad(&RULE, mail);
        good(&RULE, &format!("{mail}on_ambiguous = \"dead-letter\"\n"));
        good(
            &RULE,
            &format!("{mail}on_ambiguous = \"probe\"\nprobe = \"ask\"\n"),
        );
    }

    #[test]
    fn what_can_be_undone_or_asked_about_is_left_to_other_rules() {
        good(&RULE, "[[effects]]\nname = \"hold\"\nkind = \"remote\"\n");
    }
}
