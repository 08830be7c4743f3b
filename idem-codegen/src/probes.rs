//! Functions that are asked whether an effect happened, before a person is.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::{Expr, Path};

use crate::args::Args;
use crate::effects::{outside, probe_name};
use crate::handler::{ArgKind, Handler, Takes, tidy};
use crate::near::{list, near};
use crate::report::{At, Refusal, Report};
use crate::source::Source;

/// A probe, and the effect that it is asked about.
#[derive(Debug)]
pub(crate) struct Probe {
    effect: String,
    function: Path,
}

/// Finds the function of each probe that the contract names: its last segment is the probe's name.
pub(crate) fn read(
    args: &Args,
    handler: &Handler,
    source: &Source,
    report: &mut Report,
) -> Vec<Probe> {
    let named: Vec<(&str, &str)> = source
        .contract()
        .map(outside)
        .unwrap_or_default()
        .into_iter()
        .filter_map(|effect| Some((effect.label(), probe_name(effect)?)))
        .collect();
    let functions = functions(args, report);
    if handler.takes == Takes::Transaction || source.contract().is_none() {
        return Vec::new();
    }
    let known = || named.iter().map(|(_, probe)| *probe);
    for function in &functions {
        let name = name_of(function);
        if !known().any(|probe| probe == name) {
            let instead = match near(&name, known()) {
                Some(near) => format!("write `{}`", near.replace('-', "_")),
                None => "leave it out, or name it in the contract: `on_ambiguous = \"probe\"` and `probe = \"…\"`".to_owned(),
            };
            report.add(
                Refusal::new(
                    At::of(function),
                    format!("{} names no probe `{name}`", source.shown()),
                    "a probe that is never asked looks like a protection and is none",
                    instead,
                )
                .by("attribute-disagrees"),
            );
        }
    }
    if let Some(owned) = handler
        .args
        .iter()
        .find(|arg| arg.kind == ArgKind::Owned)
        .filter(|_| !named.is_empty())
    {
        report.add(Refusal::new(
            At::of(&owned.ty),
            "a handler with a probe takes this argument by value",
            "the probe is given the same arguments after the handler is done with them",
            format!("take `&{}`", tidy(&owned.ty)),
        ));
        return Vec::new();
    }
    let mut probes = Vec::new();
    let mut missing = Vec::new();
    for (effect, probe) in &named {
        match functions
            .iter()
            .find(|function| name_of(function) == *probe)
        {
            Some(function) => probes.push(Probe {
                effect: (*effect).to_owned(),
                function: function.clone(),
            }),
            None => missing.push(*probe),
        }
    }
    let misnamed = missing.len() == 1
        && functions
            .iter()
            .any(|function| near(&name_of(function), missing.iter().copied()).is_some());
    if let Some(first) = missing.first().filter(|_| !misnamed) {
        report.add(
            Refusal::new(
                At::span(args.probe.as_ref().map_or_else(|| source.span(), |probe| probe.name)),
                format!("{} asks {}, and the attribute names no such function", source.shown(), list(missing.iter().copied())),
                "an ambiguous case would go to nobody, although the contract says that a probe is asked first",
                format!("write `probe = {}` for `async fn {0}(probe: &idem::Probe, …the handler's further arguments by reference…) -> idem::Probed<T>`", first.replace('-', "_")),
            )
            .by("attribute-disagrees"),
        );
    }
    probes
}

fn functions(args: &Args, report: &mut Report) -> Vec<Path> {
    let Some(arg) = &args.probe else {
        return Vec::new();
    };
    arg.probes
        .iter()
        .filter_map(|expr| match expr {
            Expr::Path(path) if path.qself.is_none() => Some(path.path.clone()),
            other => {
                report.add(
                    Refusal::new(
                        At::of(other),
                        format!("`{}` is not the path of a function", tidy(other)),
                        "a probe is found by its name, which the contract states",
                        "write `probe = find_pickup`, or several in parentheses",
                    )
                    .by("invalid-syntax"),
                );
                None
            }
        })
        .collect()
}

/// `desk::find_pickup` is the probe `find-pickup`.
fn name_of(function: &Path) -> String {
    let last = function.segments.last();
    last.map_or_else(String::new, |last| last.ident.to_string().replace('_', "-"))
}

/// ```text
/// while let Some(probe) = call.asks().await {
///     let answered = match probe.effect() {
///         "pickup" => answered(find_pickup(&probe, event).await),
///         _ => Answered::CannotTell,
///     };
///     call.told(probe, answered).await;
/// }
/// ```
///
/// Nothing where there is no probe to ask.
pub(crate) fn asking(
    probes: &[Probe],
    handler: &Handler,
    call: &Ident,
    krate: &Path,
) -> TokenStream {
    let span = Span::mixed_site();
    if probes.is_empty() {
        return TokenStream::new();
    }
    let passed: Vec<TokenStream> = handler
        .args
        .iter()
        .map(|arg| {
            let passed = &arg.passed;
            match arg.kind {
                ArgKind::Shared => quote_spanned!(span=> #passed),
                ArgKind::Copied | ArgKind::Owned => quote_spanned!(span=> &#passed),
            }
        })
        .collect();
    let arms = probes.iter().map(|probe| {
        let (effect, function) = (&probe.effect, &probe.function);
        quote_spanned! {span=>
            #effect => #krate::__private::answered(#function(&probe, #(#passed),*).await),
        }
    });
    quote_spanned! {span=>
        while let ::core::option::Option::Some(probe) = #call.asks().await {
            let answered = match probe.effect() {
                #(#arms)*
                _ => #krate::__private::Answered::CannotTell,
            };
            #call.told(probe, answered).await;
        }
    }
}
