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
    Check, Contract, Edit, EffectKind, Findings, Fix, Fixable, Group, Outage, Place, Rule,
    Severity, timing,
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
        .fix(Fix {
            safe: true,
            edits: vec![Edit {
                span: outage.span,
                text: "\"closed\"".to_owned(),
            }],
        });
}
