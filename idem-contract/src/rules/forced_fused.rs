//! # forced-fused
//!
//! `mode = "fused"` beside an effect that no transaction of ours can hold.
//!
//! ## What it does
//!
//! Reports `[claim] mode = "fused"` in a contract with a `keyed-remote`, `remote` or `irreversible`
//! effect.
//!
//! ## Why it hurts
//!
//! In fused mode claim, handler and completion are one transaction, and a crash leaves no row: no
//! row means "nothing happened, try again". A call to a provider is not undone by the rollback, so
//! after a crash the next attempt makes it again and nothing remembers the first.
//!
//! ## Bad
//!
//! ```toml
//! [claim]
//! lease = "60s"
//! window = "30d"
//! max_attempts = 5
//! mode = "fused"
//!
//! [[effects]]
//! name = "provider-refund"
//! kind = "keyed-remote"
//! key_header = "Idempotency-Key"
//! key_lifetime = "24h"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [claim]
//! lease = "60s"
//! window = "30d"
//! max_attempts = 5
//! mode = "leased"
//!
//! [[effects]]
//! name = "provider-refund"
//! kind = "keyed-remote"
//! key_header = "Idempotency-Key"
//! key_lifetime = "24h"
//! ```
//!
//! ## Source
//!
//! idem's claim: the mode follows from the effects; fused is for local effects alone.

use crate::{Check, Contract, Findings, Fix, Fixable, Group, Mode, Place, Rule, Severity, timing};

pub(super) static FORCED_FUSED: Rule = Rule {
    id: "forced-fused",
    group: Group::Claim,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("forced_fused.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(mode) = contract.claim.mode.given() else {
        return;
    };
    let outside: Vec<_> = contract
        .effects
        .iter()
        .filter(|effect| effect.is_outside())
        .collect();
    let Some(first) = outside.first() else {
        return;
    };
    if !timing::claims(contract) || mode.value != Mode::Fused {
        return;
    }
    let finding = findings.report(
        mode.span,
        "claim.mode",
        format!(
            "mode \"fused\" with an outside effect: `{}` is not part of the transaction",
            first.label()
        ),
        "a rollback does not undo the call, and leaves no row that remembers it",
        "write `mode = \"leased\"`, or leave the line out: the mode follows from the effects",
    );
    for effect in outside {
        if let Some(kind) = effect.kind.given() {
            finding.also(
                kind.span,
                format!("`{}` is {}", effect.label(), kind.value.as_str()),
            );
        }
    }
    finding
        .race(&[
            "worker A: opens the transaction, claims the key and calls the provider",
            "worker A: crashes; the database rolls back and no row is left",
            "worker B: gets the redelivery, finds no row and calls the provider again",
        ])
        .fix(Fix::replace(mode.span, "\"leased\"".to_owned()));
}

#[cfg(test)]
mod tests {
    use super::FORCED_FUSED as RULE;
    use crate::testing::{bad, good};

    const FUSED: &str =
        "[claim]\nlease = \"30s\"\nwindow = \"30d\"\nmax_attempts = 5\nmode = \"fused\"\n";

    #[test]
    fn each_outside_effect_is_named() {
        let found = bad(
            &RULE,
            &format!(
                "{FUSED}[[effects]]\nname = \"orders\"\nkind = \"local\"\n\
                 [[effects]]\nname = \"label\"\nkind = \"keyed-remote\"\nkey_header = \"K\"\n\
                 [[effects]]\nname = \"mail\"\nkind = \"irreversible\"\non_ambiguous = \"dead-letter\"\n"
            ),
        );
        let said: Vec<&str> = found[0]
            .related
            .iter()
            .map(|second| second.message.as_str())
            .collect();
        assert_eq!(said, ["`label` is keyed-remote", "`mail` is irreversible"]);
    }

    #[test]
    fn local_effects_may_be_fused_and_may_be_leased() {
        good(&RULE, FUSED);
        good(
            &RULE,
            "[claim]\nlease = \"30s\"\nwindow = \"30d\"\nmax_attempts = 5\nmode = \"leased\"\n",
        );
    }
}
