//! `#[derive(Failure)]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote_spanned};
use syn::{DeriveInput, Fields, Path};

use super::class::{Class, cases};
use crate::Contracts;
use crate::report::{At, Report, asked, private};

/// One variant, or the struct itself.
pub(super) struct Case<'a> {
    /// `Self::NotPaid`, or `Self`.
    pub(super) path: TokenStream,
    /// The name that is stored.
    pub(super) name: String,
    pub(super) fields: &'a Fields,
    pub(super) class: Class,
}

/// ```text
/// #[derive(Failure)]
/// enum RefundError { #[failure(final)] Declined(String), #[failure(transparent)] Store(sqlx::Error) }
/// ```
///
/// becomes an `impl ::idem::Failure` whose `class` is a table of the variants. A final variant is
/// stored as `{"variant": "Declined", "fields": […]}`; only its own fields need serde.
pub(super) fn expand(input: &DeriveInput, _: &Contracts, report: &mut Report) -> TokenStream {
    let krate = super::krate(input, "failure", report);
    let cases = cases(input, report);
    let span = Span::mixed_site();
    let of = |class: Class| cases.iter().filter(move |case| case.class == class);
    let classes = cases.iter().map(|case| case.class_arm(&krate));
    let encode: Vec<TokenStream> = of(Class::Final)
        .map(|case| case.encode_arm(&krate))
        .collect();
    let decode = of(Class::Final).map(|case| case.decode_branch(&krate));
    let stores: Vec<TokenStream> = of(Class::Transparent)
        .map(|case| case.store_arm(&krate))
        .collect();
    let rest = |arms: &[TokenStream]| {
        (arms.len() < cases.len())
            .then(|| quote_spanned!(span=> _ => ::core::option::Option::None,))
    };
    let (rest_encode, rest_stores) = (rest(&encode), rest(&stores));
    let value = if cases.is_empty() {
        quote_spanned!(span=> *self)
    } else {
        quote_spanned!(span=> self)
    };
    let name = &input.ident;
    let generics = bounded(input, &cases, &krate);
    let (head, tail, clause) = generics.split_for_impl();
    quote_spanned! {span=>
        #[automatically_derived]
        impl #head #krate::Failure for #name #tail #clause {
            fn class(&self) -> #krate::FailureClass {
                match #value { #(#classes)* }
            }
            fn encode_final(&self) -> ::core::option::Option<#krate::__private::Bytes> {
                match #value { #(#encode)* #rest_encode }
            }
            fn decode_final(bytes: &[u8]) -> ::core::option::Option<Self> {
                #[allow(unused_mut, unused_variables)]
                let mut stored = #krate::__private::StoredFailure::read(bytes)?;
                #(#decode)*
                ::core::option::Option::None
            }
            fn store_error(&self) -> ::core::option::Option<&(dyn ::core::error::Error + 'static)> {
                match #value { #(#stores)* #rest_stores }
            }
        }
    }
}

impl Case<'_> {
    fn class_arm(&self, krate: &Path) -> TokenStream {
        let path = &self.path;
        let class = match self.class {
            // The store's own failure: its transaction is rolled back, and nothing else happened.
            Class::NoEffect | Class::Transparent => "NoEffect",
            Class::Final => "Final",
            Class::Unknown => "Unknown",
        };
        let class = Ident::new(class, Span::mixed_site());
        quote_spanned!(Span::mixed_site()=> #path { .. } => #krate::FailureClass::#class,)
    }

    fn store_arm(&self, krate: &Path) -> TokenStream {
        let path = &self.path;
        let Some(field) = self.fields.iter().next() else {
            return TokenStream::new();
        };
        let span = Span::mixed_site();
        let member = member(0, field.ident.as_ref());
        let source = Ident::new("source", span);
        let at = At::of(&field.ty);
        let function = private(krate, "source", at);
        let call = asked(
            function,
            field.ty.to_token_stream(),
            source.to_token_stream(),
            at,
        );
        quote_spanned!(span=> #path { #member: #source } => #call,)
    }

    fn encode_arm(&self, krate: &Path) -> TokenStream {
        let span = Span::mixed_site();
        let (path, name) = (&self.path, &self.name);
        let mut pattern = TokenStream::new();
        let mut fields = TokenStream::new();
        for (at, field) in self.fields.iter().enumerate() {
            let member = member(at, field.ident.as_ref());
            let bound = format_ident!("field{at}", span = span);
            let codec = storable(&field.ty, krate);
            pattern.extend(quote_spanned!(span=> #member: #bound,));
            fields.extend(quote_spanned!(span=> .field(#codec, #bound)));
        }
        quote_spanned! {span=>
            #path { #pattern } => #krate::__private::FailureToStore::new(#name) #fields .finish(),
        }
    }

    fn decode_branch(&self, krate: &Path) -> TokenStream {
        let span = Span::mixed_site();
        let (path, name) = (&self.path, &self.name);
        let stored = Ident::new("stored", span);
        let fields = self.fields.iter().enumerate().map(|(at, field)| {
            let member = member(at, field.ident.as_ref());
            let codec = storable(&field.ty, krate);
            quote_spanned!(span=> #member: #stored.field(#codec)?,)
        });
        let count = self.fields.len();
        quote_spanned! {span=>
            if #stored.is(#name, #count) {
                return ::core::option::Option::Some(#path { #(#fields)* });
            }
        }
    }
}

/// `storable::<T>()`, lying where T does: asked for writing and for reading with the same tokens, so
/// that a type that cannot be stored is one message.
fn storable(ty: &syn::Type, krate: &Path) -> TokenStream {
    let at = At::of(ty);
    let function = private(krate, "storable", at);
    asked(function, ty.to_token_stream(), TokenStream::new(), at)
}

fn member(at: usize, ident: Option<&Ident>) -> TokenStream {
    match ident {
        Some(ident) => ident.to_token_stream(),
        None => syn::Index::from(at).to_token_stream(),
    }
}

/// A final variant's field whose type depends on a parameter must be storable.
fn bounded(input: &DeriveInput, cases: &[Case<'_>], krate: &Path) -> syn::Generics {
    let mut generics = input.generics.clone();
    let params: Vec<Ident> = generics
        .type_params()
        .map(|param| param.ident.clone())
        .collect();
    if params.is_empty() {
        return generics;
    }
    let clause = generics.make_where_clause();
    for case in cases.iter().filter(|case| case.class == Class::Final) {
        for field in case.fields {
            if super::mentions(field.ty.to_token_stream(), &params) {
                let ty = &field.ty;
                clause
                    .predicates
                    .push(syn::parse_quote!(#ty: #krate::__private::Storable));
            }
        }
    }
    generics
}
