//! What `#[failure(…)]` says of each variant.

use proc_macro2::{Ident, Span, TokenTree};
use quote::{ToTokens as _, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Attribute, Data, DeriveInput, Fields, Meta};

use super::failure::Case;
use crate::near::near;
use crate::report::{At, Refusal, Report};

/// What a failure means for a retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    NoEffect,
    Final,
    Unknown,
    Transparent,
}

const CLASSES: &[(&str, Class)] = &[
    ("no_effect", Class::NoEffect),
    ("final", Class::Final),
    ("unknown", Class::Unknown),
    ("transparent", Class::Transparent),
];

const CHOICE: &str = "write `#[failure(no_effect)]` when nothing happened outside the rolled-back transaction, `#[failure(final)]` for a definitive refusal, `#[failure(unknown)]` when an outside effect may have happened, `#[failure(transparent)]` around a store error";

const WHY: &str = "only the author knows whether this failure comes before or after an effect; without that a retry either loses work or repeats it";

pub(super) fn cases<'a>(input: &'a DeriveInput, report: &mut Report) -> Vec<Case<'a>> {
    let case = |ident: &Ident, path, attrs: &[Attribute], fields, report: &mut Report| Case {
        path,
        name: ident.unraw().to_string(),
        fields,
        class: class(attrs, ident, fields, report),
    };
    match &input.data {
        Data::Struct(data) => {
            let path = quote_spanned!(Span::mixed_site()=> Self);
            vec![case(&input.ident, path, &input.attrs, &data.fields, report)]
        }
        Data::Enum(data) => data
            .variants
            .iter()
            .map(|variant| {
                let ident = &variant.ident;
                let path = quote_spanned!(Span::mixed_site()=> Self::#ident);
                case(ident, path, &variant.attrs, &variant.fields, report)
            })
            .collect(),
        Data::Union(data) => {
            report.add(Refusal::new(
                At::of(&data.union_token),
                "a union cannot say what a failure means",
                "which of its fields holds a value is not known",
                "make it an enum with one variant for each failure",
            ));
            Vec::new()
        }
    }
}

/// The class of one variant. Where none can be read, that is reported and `NoEffect` stands in, so
/// that the rest of the derive is still checked.
fn class(attrs: &[Attribute], ident: &Ident, fields: &Fields, report: &mut Report) -> Class {
    let mut found: Option<(Class, Ident)> = None;
    let own = attrs.iter().filter(|attr| attr.path().is_ident("failure"));
    for attr in own.filter(|attr| !sets_crate(attr)) {
        match stated(attr) {
            Ok(_) if found.is_some() => {
                let refusal = Refusal::new(
                    At::of(attr),
                    format!("`{ident}` has two classes"),
                    "one failure means one thing for a retry",
                    "leave one of them out",
                );
                report.add(refusal.by("unclassified-failure"));
            }
            Ok(stated) => found = Some(stated),
            Err(refusal) => {
                report.add(refusal.by("unclassified-failure"));
                return Class::NoEffect;
            }
        }
    }
    let Some((class, word)) = found else {
        let message = format!("`{ident}` does not say what it means for a retry");
        let refusal = Refusal::new(At::of(ident), message, WHY, CHOICE);
        report.add(refusal.by("unclassified-failure"));
        return Class::NoEffect;
    };
    if class == Class::Transparent && fields.len() != 1 {
        report.add(Refusal::new(
            At::of(&word),
            format!("`{ident}` is transparent and has {} fields", fields.len()),
            "the store looks at the one error inside it",
            "give it one field, the store's error, or another class",
        ));
        return Class::NoEffect;
    }
    class
}

fn stated(attr: &Attribute) -> Result<(Class, Ident), Refusal> {
    let first = match &attr.meta {
        Meta::List(list) => list.tokens.clone().into_iter().next(),
        Meta::Path(_) | Meta::NameValue(_) => None,
    };
    let Some(TokenTree::Ident(word)) = first else {
        return Err(Refusal::new(
            At::of(attr),
            "this names no class",
            WHY,
            CHOICE,
        ));
    };
    let text = word.unraw().to_string();
    if let Some((_, class)) = CLASSES.iter().find(|(name, _)| *name == text) {
        return Ok((*class, word));
    }
    let help = match near(&text, CLASSES.iter().map(|(name, _)| *name)) {
        Some(near) => format!("write `#[failure({near})]`"),
        None => CHOICE.to_owned(),
    };
    let message = format!("`{text}` is not a class of failures");
    Err(Refusal::new(At::of(&word), message, WHY, help))
}

/// `#[failure(crate = …)]` of the whole type.
fn sets_crate(attr: &Attribute) -> bool {
    let tokens = match &attr.meta {
        Meta::List(list) => list.tokens.to_token_stream(),
        Meta::Path(_) | Meta::NameValue(_) => return false,
    };
    matches!(tokens.into_iter().next(), Some(TokenTree::Ident(word)) if word == "crate")
}
