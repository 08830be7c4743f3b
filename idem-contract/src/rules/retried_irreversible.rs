//! # retried-irreversible
//!
//! An effect that cannot be undone, tried more than once within one attempt.
//!
//! ## What it does
//!
//! Reports an effect of kind `irreversible` with `tries` above 1.
//!
//! ## Why it hurts
//!
//! A time-out does not say that nothing happened. A second try may send the second mail, place the
//! second order, or open the door again.
//!
//! ## Bad
//!
//! ```toml
//! [[effects]]
//! name = "receipt-mail"
//! kind = "irreversible"
//! on_ambiguous = "dead-letter"
//! timeout = "5s"
//! tries = 2
//! ```
//!
//! ## Good
//!
//! ```toml
//! [[effects]]
//! name = "receipt-mail"
//! kind = "irreversible"
//! on_ambiguous = "dead-letter"
//! timeout = "5s"
//! ```
//!
//! ## Source
//!
//! Fischer, Lynch and Paterson, "Impossibility of Distributed Consensus with One Faulty Process": a
//! silent partner cannot be told from a slow one.

use crate::{Check, Contract, EffectKind, Findings, Fix, Fixable, Group, Place, Rule, Severity};

pub(super) static RETRIED_IRREVERSIBLE: Rule = Rule {
    id: "retried-irreversible",
    group: Group::Commit,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Ask,
    source: include_str!("retried_irreversible.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    for effect in &contract.effects {
        let (Some(kind), Some(tries)) = (effect.kind.given(), effect.tries.given()) else {
            continue;
        };
        if kind.value != EffectKind::Irreversible || tries.value <= 1 {
            continue;
        }
        findings
            .report(
                tries.span,
                format!("effects.{}.tries", effect.label()),
                format!(
                    "`{}` cannot be undone and is tried {} times within one attempt",
                    effect.label(),
                    tries.value
                ),
                "a time-out does not say that nothing happened: the next try may do it twice",
                "write `tries = 1`: an outcome that is not known goes where `on_ambiguous` says",
            )
            .also(kind.span, "declared irreversible")
            .fix(Fix::replace(tries.span, "1".to_owned()).ask());
    }
}

#[cfg(test)]
mod tests {
    use super::RETRIED_IRREVERSIBLE as RULE;
    use crate::testing::{bad, good};

    #[test]
    fn a_second_try_is_one_too_many() {
        let mail = "[[effects]]\nname = \"mail\"\nkind = \"irreversible\"\non_ambiguous = \"dead-letter\"\n";
        let found = bad(&RULE, &format!("{mail}tries = 2\n"));
        assert!(found[0].fix.as_ref().is_some_and(|fix| !fix.safe));
        good(&RULE, &format!("{mail}tries = 1\n"));
        good(&RULE, mail);
    }

    #[test]
    fn what_the_provider_recognises_may_be_tried_again() {
        good(
            &RULE,
            "[[effects]]\nname = \"label\"\nkind = \"keyed-remote\"\nkey_header = \"K\"\ntries = 3\n",
        );
    }
}
