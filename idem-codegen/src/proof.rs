//! Layer 3: a function that only has to compile.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote_spanned};
use syn::{GenericArgument, PathArguments, ReceiverKind, Type, TypeReference};

use crate::handler::{Arg, ArgKind, Handler, Place};
use crate::key::KeyPart;
use crate::own_self::says_self;
use crate::pattern;
use crate::rewrite::dereference;

/// The purity proof: a `const fn` over the handler's arguments, by reference, that names every key
/// expression. It can call nothing that reads a clock, a generator, the environment or a counter.
///
/// ```text
/// const fn the_key_of_refund_must_be_computed_from_its_arguments_alone(event: &Refund) {
///     let _ = &event.tenant_id;
///     let _ = ManuallyDrop::new(action(event.kind));
/// }
/// ```
pub(crate) fn proof(sig: &syn::Signature, handler: &Handler, parts: &[KeyPart]) -> Proof {
    let parts: Vec<&KeyPart> = parts.iter().filter(|part| !part.trusted).collect();
    if parts.is_empty() {
        return Proof::default();
    }
    let span = Span::mixed_site();
    let uses = |name: &Ident| parts.iter().any(|part| part.roots.contains(name));
    let mut inputs = Vec::new();
    let mut needs_self = false;
    let mut referenced: Vec<&Ident> = Vec::new();
    let this = Ident::new("self", span);
    if let Some(receiver) = &handler.receiver
        && parts.iter().any(|part| part.roots.contains(&this))
    {
        needs_self = true;
        let token = receiver.self_token;
        inputs.push(quote_spanned!(span=> &#token));
        if !matches!(receiver.kind, ReceiverKind::Reference(..)) {
            referenced.push(&this);
        }
    }
    for arg in handler.args.iter().filter(|arg| arg.names.iter().any(uses)) {
        needs_self |= says_self(arg.ty.to_token_stream());
        let pat = pattern::by_reference(&arg.pat);
        let ty = by_reference(arg);
        inputs.push(quote_spanned!(span=> #pat: #ty));
        if !matches!(&arg.ty, Type::Reference(_)) {
            referenced.extend(&arg.names);
        }
    }
    let statements = parts.iter().map(|part| {
        let mut expr = part.expr.clone();
        dereference(&mut expr, &referenced);
        if part.borrowed {
            quote_spanned!(span=> let _ = &#expr;)
        } else {
            quote_spanned!(span=> let _ = ::core::mem::ManuallyDrop::new(#expr);)
        }
    });
    let is_beside = match handler.place {
        Place::Nested => false,
        Place::Sibling => true,
        Place::Block => needs_self,
    };
    let name = name(&sig.ident, is_beside && handler.place == Place::Block);
    let (generics, clause) = (&sig.generics, &sig.generics.where_clause);
    let doc = is_beside.then(|| quote_spanned!(span=> #[doc(hidden)]));
    let tokens = quote_spanned! {span=>
        #doc
        #[allow(dead_code, unused_variables)]
        const fn #name #generics (#(#inputs),*) #clause {
            #(#statements)*
        }
    };
    Proof { tokens, is_beside }
}

/// The proof, and where it goes: with `self` or `Self` in it, beside the wrapper.
#[derive(Debug, Default)]
pub(crate) struct Proof {
    pub(crate) tokens: TokenStream,
    pub(crate) is_beside: bool,
}

/// The compiler shows the name where the proof has no place: a trait's `impl` takes no functions of
/// its own, and a private method may stand in one.
fn name(handler: &Ident, may_be_in_a_trait_impl: bool) -> Ident {
    let handler = syn::ext::IdentExt::unraw(handler);
    let span = Span::mixed_site();
    if may_be_in_a_trait_impl {
        format_ident!(
            "the_key_of_{handler}_uses_self_so_it_must_not_stand_in_the_impl_of_a_trait",
            span = span
        )
    } else {
        format_ident!(
            "the_key_of_{handler}_must_be_computed_from_its_arguments_alone",
            span = span
        )
    }
}

/// A value that is dropped in a `const fn` does not compile, so values come in by reference; what
/// is behind an `Arc` can only be reached by a call that is no `const fn`, so it comes in directly.
fn by_reference(arg: &Arg) -> TokenStream {
    let span = Span::mixed_site();
    if let (1, Some(inner)) = (arg.names.len(), inside_arc(&arg.ty)) {
        return quote_spanned!(span=> &#inner);
    }
    match &arg.ty {
        Type::Reference(TypeReference {
            mutability: None, ..
        }) => arg.ty.to_token_stream(),
        Type::Reference(reference) => {
            let (lifetime, elem) = (&reference.lifetime, &reference.elem);
            quote_spanned!(span=> &#lifetime #elem)
        }
        ty => {
            debug_assert!(arg.kind != ArgKind::Shared);
            quote_spanned!(span=> &#ty)
        }
    }
}

fn inside_arc(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(reference) => inside_arc(&reference.elem),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            if last.ident != "Arc" && last.ident != "Rc" {
                return None;
            }
            let PathArguments::AngleBracketed(arguments) = &last.arguments else {
                return None;
            };
            match arguments.args.first()? {
                GenericArgument::Type(inner) => Some(inner),
                _ => None,
            }
        }
        _ => None,
    }
}
