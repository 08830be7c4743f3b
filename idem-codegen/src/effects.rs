//! Effects outside the store: what the contract declares, and what the handler's body performs.

use idem_contract::{Contract, Effect, EffectKind, OnAmbiguous};
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote_spanned;
use syn::{LitStr, Path};

use crate::handler::{Function, Handler, Takes};
use crate::near::{list, near};
use crate::report::{At, Refusal, Report};
use crate::source::Source;

const UNDECLARED: &str = "undeclared-effect";
const UNPERFORMED: &str = "unperformed-effect";

/// Compares contract and handler: the form that the handler has, and each call that it makes.
pub(crate) fn compare(
    function: &Function,
    handler: &Handler,
    source: &Source,
    report: &mut Report,
) {
    let outside: Vec<&Effect> = source.contract().map(outside).unwrap_or_default();
    match handler.takes {
        Takes::Transaction => report.extend(
            outside
                .first()
                .map(|effect| takes_a_transaction(effect, source, handler)),
        ),
        Takes::Operation if !source.is_contract() => report.add(
            Refusal::new(
                At::of(&handler.tx),
                "a handler without a contract takes an operation",
                "the effects outside the database are declared in a contract, and every call is compared with it",
                "write the contract (`idem new` begins one) and name it: `contract = \"…\"`; for local effects alone take the transaction, `tx: &mut idem::sqlite::Tx<'_>`",
            )
            .by(UNDECLARED),
        ),
        // What keeps the contract from being read is said elsewhere.
        Takes::Operation if source.contract().is_none() => {}
        Takes::Operation => {
            let calls = calls(function, handler);
            for call in &calls.found {
                report.extend(call.judge(&outside, source));
            }
            report.extend(unperformed(function, &calls, &outside, source));
        }
    }
}

/// The effects that happen outside any transaction of ours, in the contract's order.
pub(crate) fn outside(contract: &Contract) -> Vec<&Effect> {
    let effects = contract.effects.iter();
    effects.filter(|effect| effect.is_outside()).collect()
}

/// The probe that the contract names for an effect that nothing deduplicates.
pub(crate) fn probe_name(effect: &Effect) -> Option<&str> {
    let asked = effect.on_ambiguous.get() == Some(&OnAmbiguous::Probe);
    let named = effect.probe.get().map(String::as_str);
    named.filter(|_| asked && kind(effect) != EffectKind::KeyedRemote)
}

fn kind(effect: &Effect) -> EffectKind {
    effect.kind.or(EffectKind::Remote)
}

/// The method that performs an effect of that kind.
const fn method(kind: EffectKind) -> &'static str {
    match kind {
        EffectKind::KeyedRemote => "step",
        EffectKind::Irreversible => "irreversible",
        EffectKind::Remote | EffectKind::Local => "remote",
    }
}

/// How the call of an effect is written.
fn written(op: &str, effect: &Effect) -> String {
    let (name, kind) = (effect.label(), kind(effect));
    let closure = match kind {
        EffectKind::KeyedRemote => "|key| …",
        EffectKind::Irreversible | EffectKind::Remote | EffectKind::Local => "|| …",
    };
    format!("`{op}.{}(\"{name}\", {closure})`", method(kind))
}

fn takes_a_transaction(effect: &Effect, source: &Source, handler: &Handler) -> Refusal {
    Refusal::new(
        At::of(&handler.tx),
        format!(
            "the effect `{}` in {} is `{}`, and this handler takes a transaction",
            effect.label(),
            source.shown(),
            kind(effect).as_str()
        ),
        "a rollback does not undo what happened outside the database, so each such effect is recorded before and after it",
        format!(
            "take the operation, `op: &mut idem::sqlite::Operation<'_>`, write through `op.tx()`, and perform the effect by {}",
            written("op", effect)
        ),
    )
}

/// A call of an operation's method.
struct Call {
    op: String,
    method: Ident,
    /// Its name, where that is a literal.
    name: Result<LitStr, At>,
}

/// The calls that a body makes.
struct Calls {
    found: Vec<Call>,
    /// What the operation is called.
    op: String,
    /// Whether the operation is also handed on, so that others may perform effects.
    handed_on: bool,
}

impl Call {
    /// The effect that is most likely meant by a call whose name says nothing.
    fn likely<'e>(&self, outside: &[&'e Effect]) -> &'e str {
        let same = outside
            .iter()
            .find(|effect| self.method == method(kind(effect)));
        same.map_or("…", |effect| effect.label())
    }

    /// What is wrong with the call.
    fn judge(&self, outside: &[&Effect], source: &Source) -> Option<Refusal> {
        let shown = source.shown();
        let called = &self.method;
        let name = match &self.name {
            Ok(name) => name,
            Err(at) => {
                return Some(
                    Refusal::new(
                        *at,
                        format!(
                            "the name of what `{}.{called}` performs is not a literal",
                            self.op
                        ),
                        "it is compared with the contract while compiling",
                        format!(
                            "write it out: `{}.{called}(\"{}\", …)`",
                            self.op,
                            self.likely(outside)
                        ),
                    )
                    .by(UNDECLARED),
                );
            }
        };
        let text = name.value();
        let Some(effect) = outside.iter().find(|effect| effect.label() == text) else {
            let names = outside.iter().map(|effect| effect.label());
            let instead = match near(&text, names.clone()) {
                Some(near) => format!("write `\"{near}\"`"),
                None if outside.is_empty() => format!("declare it in {shown}"),
                None => format!("write one of {}, or declare it in {shown}", list(names)),
            };
            return Some(
                Refusal::new(
                    At::of(name),
                    format!("{shown} declares no effect `{text}` outside the database"),
                    "mode, lease, dead letter and drill are derived from the declared effects, and protect no other",
                    instead,
                )
                .by(UNDECLARED),
            );
        };
        let right = method(kind(effect));
        (called != right).then(|| {
            let why = match kind(effect) {
                EffectKind::KeyedRemote => {
                    "its provider deduplicates on a key, which only a step derives and hands over"
                }
                EffectKind::Irreversible | EffectKind::Remote | EffectKind::Local => {
                    "nothing deduplicates it, so it must never be called again on a guess"
                }
            };
            Refusal::new(
                At::of(called),
                format!(
                    "`{text}` is `{}` in {shown}, and is performed by `{called}`",
                    kind(effect).as_str()
                ),
                why,
                format!("write {}", written(&self.op, effect)),
            )
            .by(UNDECLARED)
        })
    }
}

fn unperformed(
    function: &Function,
    calls: &Calls,
    outside: &[&Effect],
    source: &Source,
) -> Option<Refusal> {
    let at = At::of(&function.sig.ident);
    let shown = source.shown();
    let op = &calls.op;
    if outside.is_empty() {
        return calls.found.is_empty().then(|| {
            Refusal::new(
                at,
                format!("{shown} declares no effect outside the database, and this handler takes an operation"),
                "without such an effect, claim, handler and completion are one transaction, and need no operation",
                "take the transaction: `tx: &mut idem::sqlite::Tx<'_>`",
            )
        });
    }
    let performed = |effect: &Effect| {
        calls.found.iter().any(|call| {
            call.name
                .as_ref()
                .is_ok_and(|name| name.value() == effect.label())
        })
    };
    let missing: Vec<&Effect> = outside
        .iter()
        .copied()
        .filter(|effect| !performed(effect))
        .collect();
    let (first, number) = (missing.first()?, missing.len());
    let names = list(missing.iter().map(|effect| effect.label()));
    // A name that was written wrongly is one mistake, and its own message says what was meant.
    let misnamed = calls.found.iter().any(|call| match &call.name {
        Ok(name) => {
            let name = name.value();
            !outside.iter().any(|effect| effect.label() == name)
                && near(&name, missing.iter().map(|effect| effect.label())).is_some()
        }
        Err(_) => true,
    });
    if misnamed && number == 1 {
        return None;
    }
    let handed_on = if calls.handed_on {
        format!(
            "; calls are looked for in this function's own body, where `{op}` is handed on: perform the effect here, and hand on what it returned"
        )
    } else {
        String::new()
    };
    Some(
        Refusal::new(
            at,
            format!(
                "{shown} declares {names}, and `{}` never performs {}",
                function.sig.ident,
                if number == 1 { "it" } else { "them" }
            ),
            "lease, mode and dead letter are computed from the declared effects, and would be computed from a fiction",
            format!("write {}, or take it out of the contract{handed_on}", written(op, first)),
        )
        .by(UNPERFORMED),
    )
}

/// Finds `op.step(…)`, `op.irreversible(…)` and `op.remote(…)` in the body's tokens.
fn calls(function: &Function, handler: &Handler) -> Calls {
    let mut calls = Calls {
        found: Vec::new(),
        op: handler
            .tx_name
            .as_ref()
            .map_or("op".to_owned(), Ident::to_string),
        handed_on: false,
    };
    if let Some(op) = &handler.tx_name {
        calls.look(function.body.stream(), op);
    }
    calls
}

impl Calls {
    fn look(&mut self, tokens: TokenStream, op: &Ident) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.look(group.stream(), op),
                TokenTree::Ident(ident) if ident == op && !follows_dot(&tokens[..at]) => {
                    self.used(&tokens[at + 1..], ident);
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// What stands behind the operation's name.
    fn used(&mut self, rest: &[TokenTree], op: &Ident) {
        let [TokenTree::Punct(dot), TokenTree::Ident(method), rest @ ..] = rest else {
            self.handed_on = true;
            return;
        };
        if dot.as_char() != '.' {
            self.handed_on = true;
            return;
        }
        if !["step", "irreversible", "remote"]
            .iter()
            .any(|known| method == known)
        {
            return;
        }
        let Some(arguments) = arguments(rest) else {
            return;
        };
        self.found.push(Call {
            op: op.to_string(),
            method: method.clone(),
            name: name(arguments),
        });
    }
}

fn follows_dot(before: &[TokenTree]) -> bool {
    matches!(before.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '.')
}

/// `(…)`, behind type arguments where there are any.
fn arguments(rest: &[TokenTree]) -> Option<&Group> {
    rest.iter().find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(Some(group)),
        TokenTree::Punct(punct) if matches!(punct.as_char(), ';' | '?' | '.') => Some(None),
        _ => None,
    })?
}

/// The name, where the first argument is a literal.
fn name(arguments: &Group) -> Result<LitStr, At> {
    let tokens: Vec<TokenTree> = arguments
        .stream()
        .into_iter()
        .take_while(|token| !matches!(token, TokenTree::Punct(punct) if punct.as_char() == ','))
        .collect();
    let first: TokenStream = tokens.into_iter().collect();
    if first.is_empty() {
        return Err(At::of(arguments));
    }
    syn::parse2::<LitStr>(first.clone()).map_err(|_| At::of(&first))
}

/// `&[::idem::Effect::keyed_remote("provider-refund").timeout_ms(10000)]`; none for a contract whose
/// effects are all local.
pub(crate) fn lowered(contract: &Contract, krate: &Path) -> Option<TokenStream> {
    let span = Span::mixed_site();
    let effects: Vec<TokenStream> = outside(contract)
        .into_iter()
        .map(|effect| {
            let constructor = match kind(effect) {
                EffectKind::KeyedRemote => "keyed_remote",
                EffectKind::Irreversible => "irreversible",
                EffectKind::Remote | EffectKind::Local => "remote",
            };
            let constructor = Ident::new(constructor, span);
            let name = effect.label();
            let millis = |name: &str, duration: Option<&std::time::Duration>| {
                duration.map(|duration| {
                    let name = Ident::new(name, span);
                    let ms = Literal::u64_unsuffixed(crate::workflow::millis(*duration));
                    quote_spanned!(span=> .#name(#ms))
                })
            };
            let lifetime = millis("key_lifetime_ms", effect.key_lifetime.get());
            let timeout = millis("timeout_ms", effect.timeout.get());
            let tries = effect.tries.get().map(|tries| {
                let tries = Literal::u32_unsuffixed(*tries);
                quote_spanned!(span=> .tries(#tries))
            });
            let probe = probe_name(effect).map(|probe| quote_spanned!(span=> .probe(#probe)));
            quote_spanned!(span=> #krate::Effect::#constructor(#name) #lifetime #timeout #tries #probe)
        })
        .collect();
    (!effects.is_empty()).then(|| quote_spanned!(span=> &[#(#effects),*]))
}
