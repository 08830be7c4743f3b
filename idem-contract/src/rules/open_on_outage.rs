//! # open-on-outage
//!
//! `outage = "open"`: while the store cannot be asked, everything runs unprotected.
//!
//! ## What it does
//!
//! Reports `[claim] outage = "open"`: as an error where the workflow has an `irreversible` or
//! `remote` effect, as a warning otherwise.
//!
//! ## Why it hurts
//!
//! Senders retry most when things fail, so an outage of the store is the time with the most
//! duplicates. Open means that each of them takes effect. A refusal loses nothing: the sender comes
//! again.
//!
//! ## Bad
//!
//! ```toml
//! [claim]
//! lease = "30s"
//! window = "30d"
//! max_attempts = 5
//! outage = "open"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [claim]
//! lease = "30s"
//! window = "30d"
//! max_attempts = 5
//! outage = "closed"
//! ```
//!
//! ## Source
//!
//! idem's claim: a store that cannot be asked refuses the call.

use crate::{
    Check, Contract, EffectKind, Findings, Fix, Fixable, Group, Outage, Place, Rule, Severity,
    timing,
};

pub(super) static OPEN_ON_OUTAGE: Rule = Rule {
    id: "open-on-outage",
    group: Group::Claim,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("open_on_outage.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(outage) = contract.claim.outage.given() else {
        return;
    };
    if !timing::claims(contract) || outage.value != Outage::Open {
        return;
    }
    let finding = findings.report(
        outage.span,
        "claim.outage",
        "the workflow runs unprotected while the store cannot be asked",
        "senders retry most during an outage, and each of their retries would take effect",
        "write `outage = \"closed\"`: the call is refused and the sender comes again",
    );
    let mut grave = false;
    for effect in &contract.effects {
        let Some(kind) = effect.kind.given() else {
            continue;
        };
        if matches!(kind.value, EffectKind::Irreversible | EffectKind::Remote) {
            grave = true;
            finding.also(
                kind.span,
                format!("`{}` would happen once for each delivery", effect.label()),
            );
        }
    }
    if !grave {
        finding.severity(Severity::Warn);
    }
    finding
        .race(&[
            "worker A: cannot reach the store, runs without a claim; its answer is lost",
            "worker B: gets the redelivery, cannot reach the store either and does the work again",
        ])
        .fix(Fix::replace(outage.span, "\"closed\"".to_owned()));
}

#[cfg(test)]
mod tests {
    use super::OPEN_ON_OUTAGE as RULE;
    use crate::Severity;
    use crate::testing::{bad, good};

    const OPEN: &str =
        "[claim]\nlease = \"30s\"\nwindow = \"30d\"\nmax_attempts = 5\noutage = \"open\"\n";

    #[test]
    fn what_cannot_be_recognised_again_makes_it_an_error() {
        for effect in [
            "[[effects]]\nname = \"mail\"\nkind = \"irreversible\"\non_ambiguous = \"dead-letter\"\n",
            "[[effects]]\nname = \"hold\"\nkind = \"remote\"\non_ambiguous = \"dead-letter\"\n",
        ] {
            let found = bad(&RULE, &format!("{OPEN}{effect}"));
            assert_eq!(found[0].severity, Severity::Error);
            assert_eq!(found[0].related.len(), 1);
        }
    }

    #[test]
    fn everything_else_makes_it_a_warning() {
        assert_eq!(bad(&RULE, OPEN)[0].severity, Severity::Warn);
        let keyed = "[[effects]]\nname = \"label\"\nkind = \"keyed-remote\"\nkey_header = \"K\"\n";
        let found = bad(&RULE, &format!("{OPEN}{keyed}"));
        assert_eq!(found[0].severity, Severity::Warn);
    }

    #[test]
    fn closed_is_the_default() {
        good(&RULE, "");
    }
}
