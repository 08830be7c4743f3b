//! `[[key.previous]]`: the keys under which an operation may be known from before.

use idem_contract::Contract;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote_spanned;
use syn::{Expr, Path};

use crate::key::KeyPart;
use crate::report::Report;
use crate::request::{Resolver, variant};
use crate::wrapper::root;

/// One previous recipe.
#[derive(Debug)]
pub(crate) struct Previous {
    version: u32,
    /// Days from 1970-01-01 (UTC) to the end of the overlap.
    days: u64,
    pub(crate) parts: Vec<KeyPart>,
}

/// The previous recipes of a contract without errors. A field that is in the present key too is taken
/// from there, since the attribute may have written it as a digest; any other is a field of the payload.
pub(crate) fn previous(
    contract: &Contract,
    present: &[KeyPart],
    resolver: &Resolver<'_>,
    report: &mut Report,
) -> Vec<Previous> {
    let mut all = Vec::new();
    for recipe in &contract.key.previous {
        let (Some(version), Some(fields), Some(until)) = (
            recipe.version.get(),
            recipe.fields.get(),
            recipe.until.get(),
        ) else {
            continue;
        };
        let mut parts = Vec::new();
        let mut lost = Vec::new();
        for field in fields {
            let name: &str = &field.value;
            let known = present.iter().find(|part| part.name == name);
            match known.cloned().or_else(|| part(name, contract, resolver)) {
                Some(part) => parts.push(part),
                None => lost.push(name),
            }
        }
        if lost.is_empty() {
            all.push(Previous {
                version: *version,
                // The day that `until` names is the last one of the overlap.
                days: u64::try_from(i64::from(*until) + 1).unwrap_or(0),
                parts,
            });
        } else {
            report.add(resolver.lost(&lost, "previous key"));
        }
    }
    all
}

fn part(name: &str, contract: &Contract, resolver: &Resolver<'_>) -> Option<KeyPart> {
    let expr: Expr = resolver.expr(name)?;
    let mut part = KeyPart {
        roots: root(&expr).into_iter().collect(),
        expr,
        trusted: false,
        borrowed: true,
        name: name.to_owned(),
        declared: None,
    };
    part.declare(contract);
    Some(part)
}

impl Previous {
    /// `previous(&mut delivery, 1, 20879); previous_part(&mut delivery, FieldType::Uuid, &event.id);`
    pub(crate) fn to_tokens(
        &self,
        delivery: &Ident,
        krate: &Path,
        value: impl Fn(&KeyPart) -> TokenStream,
    ) -> TokenStream {
        let span = Span::mixed_site();
        let version = Literal::u32_unsuffixed(self.version);
        let days = Literal::u64_unsuffixed(self.days);
        let parts = self.parts.iter().map(|part| {
            let (kind, value) = (variant(part.declared), value(part));
            quote_spanned! {span=>
                #krate::__private::previous_part(&mut #delivery, #krate::FieldType::#kind, #value);
            }
        });
        quote_spanned! {span=>
            #krate::__private::previous(&mut #delivery, #version, #days);
            #(#parts)*
        }
    }
}
