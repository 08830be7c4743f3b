//! The derives: `KeyPart`, `Failure`, `Event`.

mod class;
mod event;
mod failure;
mod key_part;
mod names;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::{DeriveInput, Path, parse_quote};

use crate::Contracts;
use crate::report::{At, Refusal, Report};

/// What `#[derive(name)]` of idem adds beside `item`; nothing for a derive of somebody else.
#[must_use]
pub fn derive(name: &str, item: TokenStream, contracts: &Contracts) -> TokenStream {
    let expand = match name {
        "KeyPart" => key_part::expand,
        "Failure" => failure::expand,
        "Event" => event::expand,
        _ => return TokenStream::new(),
    };
    let mut report = Report::new();
    let mut out = match syn::parse2::<DeriveInput>(item) {
        Ok(input) => expand(&input, contracts, &mut report),
        Err(error) => {
            report.add(Refusal::new(
                At::span(error.span()),
                error.to_string(),
                "",
                "",
            ));
            TokenStream::new()
        }
    };
    out.extend(report.into_tokens());
    out
}

/// The path by which the user's crate reaches idem: `#[failure(crate = ::facade::idem)]`.
fn krate(input: &DeriveInput, helper: &str, report: &mut Report) -> Path {
    let mut krate: Path = parse_quote!(::idem);
    for attr in input
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident(helper))
    {
        let syn::Meta::List(list) = &attr.meta else {
            continue;
        };
        let given = list.parse_args_with(|input: syn::parse::ParseStream<'_>| {
            if input.peek(syn::Token![crate]) && input.peek2(syn::Token![=]) {
                input.parse::<syn::Token![crate]>()?;
                input.parse::<syn::Token![=]>()?;
                return syn::Path::parse_mod_style(input).map(Some);
            }
            input.parse::<TokenStream>()?;
            Ok(None)
        });
        match given {
            Ok(Some(path)) => krate = path,
            Ok(None) => {}
            Err(error) => report.add(Refusal::new(
                At::span(error.span()),
                "`crate` takes the path by which this crate reaches idem",
                "",
                format!("write `#[{helper}(crate = ::my_facade::idem)]`"),
            )),
        }
    }
    krate
}

/// Whether one of the parameters is named in these tokens.
fn mentions(tokens: TokenStream, params: &[Ident]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => params.contains(&ident),
        TokenTree::Group(group) => mentions(group.stream(), params),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
