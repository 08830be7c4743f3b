//! `#[derive(KeyPart)]`.

use idem_contract::{Role, unstable};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Data, DataEnum, DeriveInput, Fields, Index, LitStr, Path};

use super::names::{self, Serde};
use crate::Contracts;
use crate::report::{At, Refusal, Report, asked, private};

/// ```text
/// #[derive(KeyPart)]
/// struct OrderRef { shop: String, number: u64 }
/// ```
///
/// becomes
///
/// ```text
/// impl ::idem::key::Known for OrderRef { type Class = ::idem::key::Stable; }
/// impl ::idem::KeyPart for OrderRef {
///     fn encode(&self, parts: &mut ::idem::key::Parts) {
///         ::idem::__private::write_part::<String>(&self.shop, parts);
///         ::idem::__private::write_part::<u64>(&self.number, parts);
///     }
/// }
/// ```
///
/// The bounds sit on the fields' *types*, and so do the compiler's labels.
pub(super) fn expand(input: &DeriveInput, _: &Contracts, report: &mut Report) -> TokenStream {
    let krate = super::krate(input, "key_part", report);
    let span = Span::mixed_site();
    let parts = Ident::new("parts", span);
    let body = match &input.data {
        Data::Struct(data) => of_fields(&data.fields, &input.ident, &parts, &krate, report),
        Data::Enum(data) => of_variants(data, input, &parts, report),
        Data::Union(data) => {
            report.add(Refusal::new(
                At::of(&data.union_token),
                "a union cannot be a part of a key",
                "which of its fields holds a value is not known",
                "put `#[derive(idem::KeyPart)]` on a struct or on an enum without data",
            ));
            TokenStream::new()
        }
    };
    let name = &input.ident;
    // Fields are read with the spans of their types, and those know `self` of the call site alone.
    let this = Ident::new("self", Span::call_site());
    let mut generics = input.generics.clone();
    for param in generics.type_params_mut() {
        param.bounds.push(syn::parse_quote!(#krate::KeyPart));
    }
    let (head, tail, clause) = generics.split_for_impl();
    quote_spanned! {span=>
        #[automatically_derived]
        impl #head #krate::key::Known for #name #tail #clause {
            type Class = #krate::key::Stable;
        }
        #[automatically_derived]
        impl #head #krate::KeyPart for #name #tail #clause {
            fn encode(&#this, #parts: &mut #krate::key::Parts) {
                #body
            }
        }
    }
}

fn of_fields(
    fields: &Fields,
    name: &Ident,
    parts: &Ident,
    krate: &Path,
    report: &mut Report,
) -> TokenStream {
    if fields.is_empty() {
        report.add(
            Refusal::new(
                At::of(name),
                format!("`{name}` has no fields, so all its values give one part"),
                "a part that never differs tells no two operations apart",
                "leave it out of the key",
            )
            .by("constant-key"),
        );
        return quote_spanned!(Span::mixed_site()=> let _ = #parts;);
    }
    let mut out = TokenStream::new();
    for (at, field) in fields.iter().enumerate() {
        if let Some(ident) = &field.ident {
            refuse_by_name(ident, report);
        }
        let ty = &field.ty;
        let ty_at = At::of(ty);
        let (first, last) = (ty_at.first, ty_at.last);
        let member = match &field.ident {
            Some(ident) => {
                let mut member = ident.clone();
                member.set_span(last);
                member.to_token_stream()
            }
            None => {
                let index = u32::try_from(at).unwrap_or(u32::MAX);
                Index { index, span: last }.to_token_stream()
            }
        };
        let function = private(krate, "write_part", ty_at);
        let value = quote_spanned!(first=> &self.);
        let arguments = quote_spanned!(Span::mixed_site()=> #value #member, #parts);
        let call = asked(function, ty.to_token_stream(), arguments, ty_at);
        out.extend(quote_spanned!(Span::mixed_site()=> #call;));
    }
    out
}

/// A denied name is refused in a key, however deep it stands.
fn refuse_by_name(ident: &Ident, report: &mut Report) {
    let name = ident.unraw().to_string();
    let denied = unstable::lookup(Role::Field, &name)
        .filter(|entry| entry.level == unstable::Level::Deny)
        .and_then(|entry| Some((entry, entry.category.rule()?)));
    if let Some((entry, rule)) = denied {
        report.add(
            Refusal::new(
                At::of(ident),
                format!("`{name}` would be in every key that has this type in it, and by its name it changes between attempts"),
                "a retry would have another key, find no row and do the work again",
                format!("write instead: {}", entry.instead),
            )
            .by(rule),
        );
    }
}

/// By the value that the contract lists, which is the one serde writes.
fn of_variants(
    data: &DataEnum,
    input: &DeriveInput,
    parts: &Ident,
    report: &mut Report,
) -> TokenStream {
    let whole = Serde::read(&input.attrs);
    let mut arms = TokenStream::new();
    for variant in &data.variants {
        if !variant.fields.is_empty() {
            report.add(Refusal::new(
                At::of(variant),
                format!("the variant `{}` holds data", variant.ident),
                "two variants with equal data would give one part, and unrelated operations one key",
                "derive `KeyPart` on an enum without data, and write the data as parts of their own",
            ));
        }
        let ident = &variant.ident;
        let text = Serde::read(&variant.attrs).rename.unwrap_or_else(|| {
            names::variant(&ident.unraw().to_string(), whole.rename_all.as_deref())
        });
        let text = LitStr::new(&text, Span::mixed_site());
        arms.extend(quote_spanned!(Span::mixed_site()=> Self::#ident { .. } => #text,));
    }
    if data.variants.is_empty() {
        report.add(Refusal::new(
            At::of(&input.ident),
            format!(
                "`{}` has no variants, so there is no value to write",
                input.ident
            ),
            "",
            "leave the derive out",
        ));
        return quote_spanned!(Span::mixed_site()=> let _ = #parts;);
    }
    let this = Ident::new("self", Span::call_site());
    quote_spanned! {Span::mixed_site()=>
        #parts.text(match #this { #arms });
    }
}
