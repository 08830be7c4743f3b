//! Which of the user's attributes describe the function, and which change it.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote_spanned};
use syn::Attribute;

use crate::handler::{DESCRIBING, LINTS, Place};

/// The attributes below ours, dealt out.
#[derive(Debug, Default)]
pub(crate) struct Attrs<'a> {
    pub(crate) wrapper: Vec<TokenStream>,
    pub(crate) handler: Vec<TokenStream>,
    pub(crate) cfgs: Vec<&'a Attribute>,
}

impl<'a> Attrs<'a> {
    /// What describes the function goes to the wrapper, which is what callers see; what changes it,
    /// such as `#[tracing::instrument]`, speaks of the arguments as written and goes to the handler.
    pub(crate) fn of(attrs: &'a [Attribute], place: Place) -> Self {
        let span = Span::mixed_site();
        let mut dealt = Self::default();
        for attr in attrs {
            let path = attr.path();
            let is = |names: &[&str]| names.iter().any(|name| path.is_ident(name));
            let tokens = attr.to_token_stream();
            if is(DESCRIBING) {
                dealt.wrapper.push(tokens);
            } else if is(&["cfg"]) {
                dealt.cfgs.push(attr);
                dealt.wrapper.push(tokens.clone());
                if place == Place::Sibling {
                    dealt.handler.push(tokens);
                }
            } else if is(LINTS) && place == Place::Sibling {
                dealt.handler.push(tokens.clone());
                dealt.wrapper.push(match &attr.meta {
                    // The lint may have nothing to say of the wrapper.
                    syn::Meta::List(list) if path.is_ident("expect") => {
                        let lints = &list.tokens;
                        quote_spanned!(span=> #[allow(#lints)])
                    }
                    _ => tokens,
                });
            } else if is(LINTS) || place == Place::Block {
                dealt.wrapper.push(tokens);
            } else {
                dealt.handler.push(tokens);
            }
        }
        if place == Place::Sibling {
            // It is `async` because the attribute asks for it.
            dealt
                .handler
                .push(quote_spanned!(span=> #[doc(hidden)] #[allow(clippy::unused_async)]));
        }
        dealt
    }
}
