//! How the handler gets its turns: handed over to the runtime, or driven by the wrapper itself.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote_spanned};
use syn::{Attribute, FnArg, GenericParam, Generics, Type, Visibility};

use crate::handler::{Function, Handler, Place, Takes, is_changed_by};
use crate::probes;
use crate::wrapper::{Wrapper, local};

/// The most arguments behind the transaction that the runtime has a function for.
const MOST: usize = 7;

/// Who drives the handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The runtime: the wrapper names the handler and returns the future that the runtime makes. The
    /// compiler executes half as many instructions for it.
    HandedOver,
    /// The wrapper: an `async fn` with a loop in it.
    Driven,
}

impl Form {
    /// Handed over is a function that takes a transaction borrowed for any time, which its signature
    /// must show: a lifetime with a name may be bounded, and another attribute may change it all.
    pub(crate) fn of(function: &Function, handler: &Handler) -> Self {
        let tx = function
            .sig
            .inputs
            .iter()
            .find(|input| matches!(input, FnArg::Typed(_)));
        let borrowed_for_any_time = tx.is_some_and(|input| match input {
            FnArg::Typed(typed) => match &*typed.ty {
                Type::Reference(reference) => reference
                    .lifetime
                    .as_ref()
                    .is_none_or(|lifetime| lifetime.ident == "_"),
                _ => false,
            },
            FnArg::Receiver(_) => false,
        });
        let named = handler.place != Place::Block && handler.takes == Takes::Transaction;
        if named && borrowed_for_any_time && handler.args.len() <= MOST && is_kept(&function.attrs)
        {
            Self::HandedOver
        } else {
            Self::Driven
        }
    }

    /// `pub fn refund<T>` or `pub async fn refund<T>`.
    pub(crate) fn head(self, vis: &Visibility, name: &Ident, generics: &Generics) -> TokenStream {
        let span = Span::mixed_site();
        match self {
            Self::HandedOver => quote_spanned!(span=> #vis fn #name #generics),
            Self::Driven => quote_spanned!(span=> #vis async fn #name #generics),
        }
    }

    /// The wrapper's return type.
    pub(crate) fn output(self, answer: TokenStream) -> TokenStream {
        match self {
            // By this crate's edition the future captures every lifetime, as that of an `async fn`.
            Self::HandedOver => {
                let span = Span::mixed_site();
                quote_spanned!(span=> impl ::core::future::Future<Output = #answer>)
            }
            Self::Driven => answer,
        }
    }
}

/// Whether what stands below our attribute leaves the handler an `async fn` of the same signature.
fn is_kept(attrs: &[Attribute]) -> bool {
    attrs.iter().all(|attr| {
        let last = attr.path().segments.last();
        last.is_some_and(|last| last.ident == "instrument")
            || !is_changed_by(std::slice::from_ref(attr))
    })
}

impl Wrapper<'_> {
    /// The handler, again as long as its transaction loses against a concurrent one; once when an
    /// argument is gone after the first time.
    pub(crate) fn turns(&self, form: Form, store: &Ident, delivery: &Ident) -> TokenStream {
        match form {
            Form::HandedOver => self.handed_over(store, delivery),
            Form::Driven => self.driven(store, delivery),
        }
    }

    fn handed_over(&self, store: &Ident, delivery: &Ident) -> TokenStream {
        let span = Span::mixed_site();
        let (krate, codec, handler) = (self.krate, self.codec(), self.handler_path());
        let turns = match (self.handler.is_repeatable(), &self.handler.receiver) {
            (true, None) => "again",
            (false, None) => "once",
            (true, Some(_)) => "again_on",
            (false, Some(_)) => "once_on",
        };
        let function = format_ident!("{turns}_{}", self.handler.args.len(), span = span);
        let receiver = self.handler.receiver.as_ref();
        let this = receiver.map(|receiver| receiver.self_token.to_token_stream());
        let passed = self
            .handler
            .args
            .iter()
            .map(|arg| arg.passed.to_token_stream());
        let passed = this.into_iter().chain(passed);
        quote_spanned! {span=>
            #krate::__private::#function(#store, #delivery, #codec, #handler, #(#passed),*)
        }
    }

    fn driven(&self, store: &Ident, delivery: &Ident) -> TokenStream {
        let span = Span::mixed_site();
        let (krate, codec, call) = (self.krate, self.codec(), local("call"));
        let handler = self.called();
        let begun = quote_spanned! {span=>
            let mut #call = #krate::__private::call(#store, #delivery, #codec);
        };
        if self.handler.takes == Takes::Operation {
            // What is outside is not run again: a retry finds it recorded.
            let asking = probes::asking(&self.probes, self.handler, &call, krate);
            return quote_spanned! {span=>
                #begun
                #asking
                if let ::core::option::Option::Some(#krate::__private::OperationTurn { mut op, guard }) =
                    #call.operation().await
                {
                    let tx = &mut op;
                    guard.drive(#handler).await;
                }
                #asking
                #call.settled().await
            };
        }
        let turn = quote_spanned! {span=>
            let ::core::option::Option::Some(#krate::__private::Turn { tx, guard }) = #call.next().await {
                guard.drive(#handler).await;
            }
        };
        let turns = if self.handler.is_repeatable() {
            quote_spanned! {span=>
                while #turn
                #call.answer()
            }
        } else {
            quote_spanned! {span=>
                if #turn
                #call.settled().await
            }
        };
        quote_spanned! {span=>
            #begun
            #turns
        }
    }

    /// The handler's future.
    fn called(&self) -> TokenStream {
        if self.handler.place == Place::Block {
            return self.block();
        }
        let handler = self.handler_path();
        let passed = self.handler.args.iter().map(|arg| &arg.passed);
        let this = self.handler.receiver.as_ref().map(|receiver| {
            let this = receiver.self_token;
            quote_spanned!(Span::mixed_site()=> #this,)
        });
        quote_spanned!(Span::mixed_site()=> #handler(#this tx, #(#passed),*))
    }

    /// `refund::<T>`, or `Self::__refund::<T>`.
    fn handler_path(&self) -> TokenStream {
        let span = Span::mixed_site();
        let name = self.handler_name();
        let params: Vec<&Ident> = self
            .function
            .sig
            .generics
            .params
            .iter()
            .filter_map(|param| match param {
                GenericParam::Type(param) => Some(&param.ident),
                GenericParam::Const(param) => Some(&param.ident),
                GenericParam::Lifetime(_) => None,
            })
            .collect();
        let turbofish = (!params.is_empty()).then(|| quote_spanned!(span=> ::<#(#params),*>));
        match self.handler.place {
            Place::Nested => quote_spanned!(span=> #name #turbofish),
            Place::Sibling | Place::Block => quote_spanned!(span=> Self::#name #turbofish),
        }
    }
}
