//! # provider-forgets-first
//!
//! The provider forgets the key before the last automatic retry.
//!
//! ## What it does
//!
//! For each `keyed-remote` effect compares `key_lifetime` (where it is not stated, the lifetime that
//! the provider documents) with lease × max_attempts + backoff, the last moment at which an attempt
//! can start. Reports a lifetime that is shorter.
//!
//! ## Why it hurts
//!
//! The header protects a repeated call only while the provider remembers the key. An attempt that
//! comes later sends the same key and is treated as new: the customer is charged twice, by the very
//! mechanism that was to prevent it.
//!
//! ## Bad
//!
//! ```toml
//! [claim]
//! lease = "1m"
//! window = "30d"
//! max_attempts = 5
//! backoff = "2d"
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
//! lease = "1m"
//! window = "30d"
//! max_attempts = 5
//! backoff = "2h"
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
//! apache/iceberg#18070: a client went on retrying after the server had forgotten the key.

use std::time::Duration;

use crate::timing::{self, text};
use crate::{
    Check, Contract, Effect, EffectKind, Findings, Fixable, Group, Place, Rule, Setting, Severity,
    Span, sources,
};

pub(super) static PROVIDER_FORGETS_FIRST: Rule = Rule {
    id: "provider-forgets-first",
    group: Group::Commit,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("provider_forgets_first.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    if !timing::claims(contract) {
        return;
    }
    let Some(retries) = timing::retries(contract) else {
        return;
    };
    for effect in &contract.effects {
        if effect.kind.get() != Some(&EffectKind::KeyedRemote) {
            continue;
        }
        let Some((lifetime, span, whose)) = lifetime(effect) else {
            continue;
        };
        if lifetime >= retries.total {
            continue;
        }
        let finding = findings.report(
            span,
            format!("effects.{}.key_lifetime", effect.label()),
            format!(
                "{whose} remembers the key of `{}` for {}, but an attempt can start later: {}",
                effect.label(),
                text(lifetime),
                retries.formula()
            ),
            "a retry after the provider forgot the key takes effect a second time",
            format!(
                "bring lease × max_attempts + backoff to {} or less",
                text(lifetime)
            ),
        );
        retries.label(finding);
        finding.race(&[
            "worker A: calls the provider with the key, and dies before the answer is stored",
            "worker A: its lease ends; the pauses between the attempts outlast the provider's memory",
            "worker B: takes over and calls with the same key; the provider takes it for a new call",
        ]);
    }
}

fn lifetime(effect: &Effect) -> Option<(Duration, Span, String)> {
    match &effect.key_lifetime {
        Setting::Given(given) => Some((given.value, given.span, "the provider".to_owned())),
        Setting::Unreadable(_) => None,
        Setting::Absent => {
            let name = effect.provider.given()?;
            let provider = sources::find(&name.value)?;
            let fact = provider.key_lifetime?;
            Some((
                fact.value,
                name.span,
                format!("{} ({}, read {})", provider.title, fact.page, fact.checked),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PROVIDER_FORGETS_FIRST as RULE;
    use crate::testing::{bad, good};

    fn sections(backoff: &str, effect: &str) -> String {
        format!(
            "[claim]\nlease = \"1m\"\nwindow = \"30d\"\nmax_attempts = 5\nbackoff = \"{backoff}\"\n\
             [[effects]]\nname = \"refund\"\nkind = \"keyed-remote\"\nkey_header = \"Idempotency-Key\"\n{effect}"
        )
    }

    #[test]
    fn the_last_attempt_is_compared_with_the_stated_lifetime() {
        let found = bad(&RULE, &sections("24h", "key_lifetime = \"24h\"\n"));
        assert!(
            found[0]
                .message
                .ends_with("lease 1m × max_attempts 5 + backoff 1d = 1d5m"),
            "{}",
            found[0].message
        );
        assert_eq!(found[0].related.len(), 2);
    }

    #[test]
    fn a_lifetime_that_is_not_stated_is_taken_from_the_table() {
        let found = bad(&RULE, &sections("24h", "provider = \"stripe\"\n"));
        assert!(
            found[0].message.contains("https://docs.stripe.com"),
            "{}",
            found[0].message
        );
        good(&RULE, &sections("23h", "provider = \"stripe\"\n"));
        good(
            &RULE,
            &sections("24h", "provider = \"stripe\"\nkey_lifetime = \"2d\"\n"),
        );
    }

    #[test]
    fn a_lifetime_that_reaches_the_last_attempt_exactly_is_enough() {
        good(&RULE, &sections("23h55m", "key_lifetime = \"24h\"\n"));
    }

    #[test]
    fn where_a_number_is_missing_nothing_is_said() {
        good(&RULE, &sections("24h", "provider = \"our-bank\"\n"));
        good(
            &RULE,
            "[claim]\nlease = \"1m\"\nwindow = \"30d\"\n\
             [[effects]]\nname = \"refund\"\nkind = \"keyed-remote\"\nkey_header = \"K\"\nkey_lifetime = \"1s\"\n",
        );
    }

    #[test]
    fn without_backoff_the_leases_alone_count() {
        let effect = "[[effects]]\nname = \"refund\"\nkind = \"keyed-remote\"\nkey_header = \"K\"\nkey_lifetime =";
        bad(&RULE, &format!("{effect} \"149s\"\n"));
        good(&RULE, &format!("{effect} \"150s\"\n"));
    }
}
