//! # missing-provider-header
//!
//! A call to a provider that nobody recognises when it is repeated, and no plan for that.
//!
//! ## What it does
//!
//! Reports an effect whose `provider` is known to take a key header and that sets no `key_header`,
//! a `keyed-remote` effect without `key_header`, and a `remote` effect without `on_ambiguous`.
//!
//! ## Why it hurts
//!
//! An attempt that dies during the call leaves two possibilities. With a key the next attempt simply
//! asks again and gets the first result. Without one it may do it twice or not at all, and somebody
//! has to find out which.
//!
//! ## Bad
//!
//! ```toml
//! [[effects]]
//! name = "provider-refund"
//! kind = "remote"
//! provider = "stripe"
//! on_ambiguous = "dead-letter"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [[effects]]
//! name = "provider-refund"
//! kind = "keyed-remote"
//! provider = "stripe"
//! key_header = "Idempotency-Key"
//! ```
//!
//! ## Source
//!
//! triggerdotdev/trigger.dev#4953: each outside call needs a key of its own, passed on to the
//! provider.

use crate::sources::{self, Source};
use crate::{
    Check, Contract, Edit, Effect, EffectKind, Findings, Fixable, Group, Place, Rule, Severity,
};

pub(super) static MISSING_PROVIDER_HEADER: Rule = Rule {
    id: "missing-provider-header",
    group: Group::Commit,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("missing_provider_header.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    for effect in &contract.effects {
        let known = effect
            .provider
            .get()
            .and_then(|name| sources::find(name))
            .and_then(|source| source.key_header.map(|header| (source, header.value)));
        let kind = effect.kind.get().copied();
        match (kind, known) {
            _ if !effect.key_header.is_absent() => {}
            (Some(EffectKind::Local), _) | (None, None) => {}
            (_, Some((provider, header))) => {
                known_header(contract, effect, provider, header, findings)
            }
            (Some(EffectKind::KeyedRemote), None) => no_header(contract, effect, findings),
            (Some(EffectKind::Remote | EffectKind::Irreversible), None) => {}
        }
        // The header that is asked for makes another kind of it, which needs no plan.
        let header_is_asked_for = known.is_some() && effect.key_header.is_absent();
        if kind == Some(EffectKind::Remote)
            && effect.on_ambiguous.is_absent()
            && !header_is_asked_for
        {
            no_plan(contract, effect, findings);
        }
    }
}

fn known_header(
    contract: &Contract,
    effect: &Effect,
    provider: &Source,
    header: &str,
    findings: &mut Findings<'_>,
) {
    let mut fix = contract.add_setting(
        Some(effect.header),
        "effects",
        &format!("key_header = \"{header}\""),
    );
    let mut help = format!("write `key_header = \"{header}\"`");
    if let Some(kind) = effect.kind.given()
        && kind.value != EffectKind::KeyedRemote
    {
        // The handler then has to call `step` in place of the other form.
        fix = fix.ask();
        fix.edits.push(Edit {
            span: kind.span,
            text: "\"keyed-remote\"".to_owned(),
        });
        help.push_str(" and `kind = \"keyed-remote\"`");
    }
    findings
        .report(
            effect.provider.span().unwrap_or(effect.header.span),
            format!("effects.{}.key_header", effect.label()),
            format!(
                "`{}` calls {} without the `{header}` header that {} deduplicates on",
                effect.label(),
                provider.title,
                provider.title
            ),
            "a repeated call takes effect twice, although the provider could have recognised it",
            help,
        )
        .fix(fix);
}

fn no_header(contract: &Contract, effect: &Effect, findings: &mut Findings<'_>) {
    findings
        .report(
            effect.kind.span().unwrap_or(effect.header.span),
            format!("effects.{}.key_header", effect.label()),
            format!("`{}` is keyed-remote and names no key_header", effect.label()),
            "the provider cannot recognise a repeated call by a key that is not sent",
            "write `key_header = \"Idempotency-Key\"` (or the provider's own name for it); without such a header the kind is `remote`",
        )
        .fix(contract.add_setting(
            Some(effect.header),
            "effects",
            "key_header = \"Idempotency-Key\"",
        ));
}

fn no_plan(contract: &Contract, effect: &Effect, findings: &mut Findings<'_>) {
    findings
        .report(
            effect.kind.span().unwrap_or(effect.header.span),
            format!("effects.{}.on_ambiguous", effect.label()),
            format!(
                "`{}` is remote without a key and states no on_ambiguous",
                effect.label()
            ),
            "after a crash during the call nobody knows whether it happened, and nobody is asked",
            "write `on_ambiguous = \"dead-letter\"` (a person decides), or `\"probe\"` with `probe = \"name\"`",
        )
        .fix(contract.add_setting(
            Some(effect.header),
            "effects",
            "on_ambiguous = \"dead-letter\"",
        ));
}

#[cfg(test)]
mod tests {
    use super::MISSING_PROVIDER_HEADER as RULE;
    use crate::testing::{bad, good};

    fn effect(kind: &str, more: &str) -> String {
        format!("[[effects]]\nname = \"refund\"\nkind = \"{kind}\"\n{more}")
    }

    #[test]
    fn a_known_provider_without_its_header_is_reported_whatever_the_kind() {
        for (kind, more, safe) in [
            ("keyed-remote", "", true),
            ("remote", "", false),
            ("remote", "on_ambiguous = \"dead-letter\"\n", false),
            ("irreversible", "on_ambiguous = \"dead-letter\"\n", false),
        ] {
            let found = bad(
                &RULE,
                &effect(kind, &format!("provider = \"paypal\"\n{more}")),
            );
            assert_eq!(found.len(), 1, "{kind}");
            assert!(
                found[0].help.contains("PayPal-Request-Id"),
                "{}",
                found[0].help
            );
            assert_eq!(
                found[0].fix.as_ref().map(|fix| fix.safe),
                Some(safe),
                "{kind}"
            );
        }
    }

    #[test]
    fn a_keyed_call_to_a_stranger_needs_a_header_too() {
        bad(&RULE, &effect("keyed-remote", ""));
        bad(&RULE, &effect("keyed-remote", "provider = \"our-bank\"\n"));
    }

    #[test]
    fn a_call_without_a_key_needs_a_plan() {
        let found = bad(&RULE, &effect("remote", ""));
        assert_eq!(found[0].path, "effects.refund.on_ambiguous");
        let keyed = "provider = \"stripe\"\nkey_header = \"Idempotency-Key\"\n";
        assert_eq!(bad(&RULE, &effect("remote", keyed)).len(), 1);
    }

    #[test]
    fn a_header_a_plan_or_no_known_provider_is_enough() {
        good(&RULE, &effect("keyed-remote", "key_header = \"K\"\n"));
        good(
            &RULE,
            &effect(
                "keyed-remote",
                "provider = \"stripe\"\nkey_header = \"K\"\n",
            ),
        );
        good(
            &RULE,
            &effect("remote", "on_ambiguous = \"probe\"\nprobe = \"ask\"\n"),
        );
        good(
            &RULE,
            &effect(
                "irreversible",
                "on_ambiguous = \"dead-letter\"\nprovider = \"post\"\n",
            ),
        );
        good(&RULE, &effect("local", "target = \"refunds\"\n"));
    }
}
