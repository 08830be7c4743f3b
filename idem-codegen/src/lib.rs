//! What `#[idempotent]` and the derives write.
//!
//! Everything works on `proc_macro2` tokens, so that it can be tested without a compiler. One type
//! reads files: [`Contracts`].

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enums are not ours and grow; our own are matched in full"
)]

mod args;
mod attrs;
mod contracts;
mod derive;
mod effects;
#[cfg(feature = "file")]
mod file;
mod handler;
mod key;
mod near;
mod own_self;
mod pattern;
mod previous;
mod probes;
mod proof;
#[cfg(feature = "render")]
pub mod render;
mod report;
mod request;
mod rewrite;
#[cfg(feature = "render")]
pub mod sample;
mod source;
mod turns;
mod workflow;
mod wrapper;

use proc_macro2::TokenStream;
use syn::{Path, parse_quote};

use crate::args::Args;
use crate::handler::{Function, Handler};
use crate::key::{Judged, Scope, judge};
use crate::report::Report;
use crate::request::Resolver;
use crate::source::Source;
use crate::wrapper::Wrapper;

pub use crate::contracts::Contracts;
pub use crate::derive::derive;
#[cfg(feature = "file")]
pub use crate::file::{ExpandError, expand_file};

/// Expands `#[idempotent(args)]` on `item`.
///
/// Whatever is wrong comes out as one `compile_error!` each, all of them together, beside the
/// wrapper; where not even the signature can be understood, beside the item as it was written.
#[must_use]
pub fn expand(args: TokenStream, item: TokenStream, contracts: &Contracts) -> TokenStream {
    let mut report = Report::new();
    let args = Args::parse(args, &mut report);
    let mut out = match Function::parse(item.clone()) {
        Ok(function) => wrap(&args, &function, contracts, &mut report).unwrap_or(item),
        Err(refusal) => {
            report.add(refusal);
            item
        }
    };
    out.extend(report.into_tokens());
    out
}

/// The wrapper, as far as it can be made.
fn wrap(
    args: &Args,
    function: &Function,
    contracts: &Contracts,
    report: &mut Report,
) -> Option<TokenStream> {
    let krate: Path = args.krate.clone().unwrap_or_else(|| parse_quote!(::idem));
    let source = Source::read(args, contracts, report);
    let handler = Handler::read(function, report)?;
    let contract = source.contract();
    let scope = Scope::of(function, &handler);
    let mut judged = match &args.key {
        Some(key) => judge(
            &key.parts,
            key.at,
            &scope,
            contract,
            source.is_sound(),
            report,
        ),
        None => contract_key(args, &handler, &scope, &source, report),
    };
    let resolver = Resolver::new(&handler, args, &judged.payloads, source.span(), report);
    let hash = match contract {
        Some(contract) => request::declared(contract, &resolver, report),
        None if source.is_contract() => Vec::new(),
        None => request::undeclared(args.hash.as_ref(), &handler, report),
    };
    let tenant = contract
        .and_then(|contract| contract.key.tenant.get())
        .and_then(|tenant| judged.parts.iter().position(|part| part.name == *tenant));
    if let Some(contract) = contract {
        for part in &mut judged.parts {
            part.declare(contract);
        }
    }
    let previous = contract.map_or_else(Vec::new, |contract| {
        previous::previous(contract, &judged.parts, &resolver, report)
    });
    effects::compare(function, &handler, &source, report);
    let probes = probes::read(args, &handler, &source, report);
    let policy = source.policy(args, &krate);
    let wrapper = Wrapper {
        function,
        handler: &handler,
        krate: &krate,
        include: source.include(),
        policy: &policy,
        key: judged.parts,
        tenant,
        previous,
        hash,
        probes,
    };
    Some(wrapper.into_tokens())
}

/// `key = …` left out: the contract's fields, found among the arguments.
fn contract_key(
    args: &Args,
    handler: &Handler,
    scope: &Scope,
    source: &Source,
    report: &mut Report,
) -> Judged {
    let Some(contract) = source.contract() else {
        return Judged::default();
    };
    let Some(fields) = contract.key.fields.get() else {
        return Judged::default();
    };
    // What is wrong with `payload` is said once, when the request hash looks for it.
    let mut said_later = Report::new();
    let resolver = Resolver::new(handler, args, &[], source.span(), &mut said_later);
    said_later.forget();
    let mut parts = Vec::new();
    let mut lost = Vec::new();
    for field in fields {
        match resolver.expr(&field.value) {
            Some(expr) => parts.push(expr),
            None => lost.push(field.value.as_str()),
        }
    }
    if !lost.is_empty() {
        report.add(resolver.lost(&lost, "key"));
        return Judged::default();
    }
    let at = report::At::span(source.span());
    judge(&parts, at, scope, Some(contract), source.is_sound(), report)
}
