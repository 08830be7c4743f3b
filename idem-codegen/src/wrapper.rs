//! The function that takes the handler's place.

use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote_spanned};
use syn::{Expr, FnArg, GenericArgument, Path, PathArguments, Type};

use crate::attrs::Attrs;
use crate::contracts::Include;
use crate::handler::{Function, Handler, Place, Takes};
use crate::key::KeyPart;
use crate::pattern;
use crate::previous::Previous;
use crate::probes::Probe;
use crate::proof::proof;
use crate::report::{At, asked, group, private, public};
use crate::request::{HashField, variant};
use crate::rewrite::{built_ins, dereference, first_span};
use crate::turns::Form;
use crate::workflow::Policy;

/// Everything an expansion is made of.
#[derive(Debug)]
pub(crate) struct Wrapper<'a> {
    pub(crate) function: &'a Function,
    pub(crate) handler: &'a Handler,
    pub(crate) krate: &'a Path,
    pub(crate) include: Option<&'a Include>,
    pub(crate) policy: &'a Policy,
    pub(crate) key: Vec<KeyPart>,
    /// Which part is the tenant.
    pub(crate) tenant: Option<usize>,
    pub(crate) previous: Vec<Previous>,
    pub(crate) hash: Vec<HashField>,
    pub(crate) probes: Vec<Probe>,
}

impl Wrapper<'_> {
    /// ```text
    /// pub async fn refund(tx: &mut idem::sqlite::Tx<'_>, event: &Refund) -> Result<Receipt, E> { … }
    /// ```
    ///
    /// becomes
    ///
    /// ```text
    /// pub async fn refund(store: &SqliteStore, event: &Refund) -> Result<Outcome<Receipt>, Error<E>> {
    ///     async fn refund(tx: &mut idem::sqlite::Tx<'_>, event: &Refund) -> Result<Receipt, E> { … }
    ///     /* key, request hash, claim, run, settle */
    /// }
    /// ```
    ///
    /// In an `impl`, the handler stands beside the wrapper.
    pub(crate) fn into_tokens(mut self) -> TokenStream {
        let previous = self
            .previous
            .iter_mut()
            .flat_map(|recipe| &mut recipe.parts);
        for part in self.key.iter_mut().chain(previous) {
            built_ins(&mut part.expr, self.krate);
        }
        let span = Span::mixed_site();
        let attrs = Attrs::of(&self.function.attrs, self.handler.place);
        let sig = &self.function.sig;
        let proof = proof(sig, self.handler, &self.key);
        let mut inside = TokenStream::new();
        let mut beside = TokenStream::new();
        if proof.is_beside {
            let cfgs = &attrs.cfgs;
            beside.extend(quote_spanned!(span=> #(#cfgs)*));
            beside.extend(proof.tokens);
        } else {
            inside.extend(proof.tokens);
        }
        match self.handler.place {
            Place::Nested => inside.extend(self.handler_fn(&attrs)),
            Place::Sibling => beside.extend(self.handler_fn(&attrs)),
            Place::Block => {}
        }
        let (vis, name, generics) = (&self.function.vis, &sig.ident, &sig.generics);
        let clause = &sig.generics.where_clause;
        let tx = &self.handler.tx;
        let (krate, store) = (self.krate, store(tx));
        let given = match self.handler.takes {
            Takes::Transaction => public(krate, "Transaction", At::of(tx)),
            Takes::Operation => private(krate, "OperationOf", At::of(tx)),
        };
        let store_type = projection(tx, given, "Store");
        let receiver = self
            .handler
            .receiver
            .as_ref()
            .map(|receiver| quote_spanned!(span=> #receiver,));
        let inputs = self.handler.args.iter().map(|arg| {
            let (passed, ty) = (&arg.passed, &arg.ty);
            quote_spanned!(span=> #passed: #ty)
        });
        let form = Form::of(self.function, self.handler);
        let head = form.head(vis, name, generics);
        let output = form.output(self.output());
        let wrapper = &attrs.wrapper;
        let include = self.include.map(|include| include.to_tokens(krate));
        let body = self.body(&store, form);
        quote_spanned! {span=>
            #(#wrapper)*
            #head (
                #receiver
                #store: &#store_type,
                #(#inputs),*
            ) -> #output
            #clause
            {
                #include
                #inside
                #body
            }
            #beside
        }
    }

    /// The user's own function, every token as written.
    fn handler_fn(&self, attrs: &Attrs<'_>) -> TokenStream {
        let mut sig = self.function.sig.clone();
        sig.ident = self.handler_name();
        let body = &self.function.body;
        let attrs = &attrs.handler;
        quote_spanned! {Span::mixed_site()=>
            #(#attrs)*
            #sig #body
        }
    }

    pub(crate) fn handler_name(&self) -> Ident {
        let name = &self.function.sig.ident;
        // An argument of the handler's own name must not be taken for the handler.
        let hidden = self
            .handler
            .args
            .iter()
            .any(|arg| arg.names.contains(name) || arg.passed == *name);
        match self.handler.place {
            Place::Nested if !hidden => name.clone(),
            Place::Nested | Place::Sibling | Place::Block => {
                format_ident!("__{}", syn::ext::IdentExt::unraw(name), span = name.span())
            }
        }
    }

    /// `Result<Outcome<R>, Error<E>>`, lying where the handler's own type does.
    fn output(&self) -> TokenStream {
        let (value, error) = self.result();
        let at = At::of(&self.handler.ret);
        let (first, last) = (at.first, at.last);
        let outcome = public(self.krate, "Outcome", at);
        let failed = public(self.krate, "Error", at);
        let mut out =
            quote_spanned!(first=> ::core::result::Result<#outcome<#value>, #failed<#error>);
        out.extend(quote_spanned!(last=> >));
        out
    }

    /// R and E, as written where they can be read off.
    fn result(&self) -> (TokenStream, TokenStream) {
        if let Some((value, error)) = written_result(&self.handler.ret) {
            return (value.to_token_stream(), error.to_token_stream());
        }
        let half = |name| {
            projection(
                &self.handler.ret,
                private(self.krate, "HandlerResult", At::of(&self.handler.ret)),
                name,
            )
        };
        (half("Value"), half("Error"))
    }

    fn body(&self, store: &Ident, form: Form) -> TokenStream {
        let span = Span::mixed_site();
        let krate = self.krate;
        let workflow = self.policy.to_static(krate);
        let delivery = local("delivery");
        let bindings = self.bindings();
        let parts = self.key.iter().enumerate().map(|(number, part)| {
            let at = At::of(&part.expr);
            let kind = variant(part.declared);
            let value = self.value(part);
            let arguments = quote_spanned!(span=> &mut #delivery, #krate::FieldType::#kind, #value);
            let arguments = group(Delimiter::Parenthesis, arguments, at);
            let name = if self.tenant == Some(number) {
                "tenant_part"
            } else {
                "key_part"
            };
            let function = private(krate, name, at);
            quote_spanned!(span=> #function #arguments;)
        });
        let fields = self
            .hash
            .iter()
            .map(|field| field.to_tokens(&delivery, krate));
        let previous = self
            .previous
            .iter()
            .map(|recipe| recipe.to_tokens(&delivery, krate, |part| self.value(part)));
        let turns = self.turns(form, store, &delivery);
        quote_spanned! {span=>
            #workflow
            #(#bindings)*
            let mut #delivery = #krate::__private::delivery(&__WORKFLOW);
            #(#parts)*
            #(#previous)*
            #(#fields)*
            #turns
        }
    }

    /// The one place where the result's types are asked what they can do: a type that cannot be
    /// stored, or says not what its failures mean, is underlined where it is written.
    pub(crate) fn codec(&self) -> TokenStream {
        let span = Span::mixed_site();
        let (value, error) = self.result();
        let (value_at, error_at) = match written_result(&self.handler.ret) {
            Some((value, error)) => (At::of(value), At::of(error)),
            None => (At::of(&self.handler.ret), At::of(&self.handler.ret)),
        };
        let krate = self.krate;
        let none = TokenStream::new;
        let value = asked(private(krate, "value", value_at), value, none(), value_at);
        let failure = asked(private(krate, "failure", error_at), error, none(), error_at);
        quote_spanned!(span=> #krate::__private::codec(#value, #failure))
    }

    /// ```text
    /// async move {
    ///     let tx: &mut Tx<'_> = tx;
    ///     let event: &Refund = event;
    ///     if false { /* the type of what is returned */ }
    ///     { /* the user's own body */ }
    /// }
    /// ```
    pub(crate) fn block(&self) -> TokenStream {
        let span = Span::mixed_site();
        let sig = &self.function.sig;
        let typed = sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(typed),
            FnArg::Receiver(_) => None,
        });
        let tx = local("tx");
        let values = std::iter::once(&tx).chain(self.handler.args.iter().map(|arg| &arg.passed));
        let bindings = typed.zip(values).map(|(typed, value)| {
            let (pat, ty) = (&typed.pat, &typed.ty);
            if says_impl(ty) {
                quote_spanned!(span=> let #pat = #value;)
            } else {
                quote_spanned!(span=> let #pat: #ty = #value;)
            }
        });
        let (ret, body) = (&self.handler.ret, &self.function.body);
        quote_spanned! {span=>
            async move {
                #(#bindings)*
                #[allow(unreachable_code, clippy::all, clippy::pedantic)]
                if false {
                    let returned: #ret = loop {};
                    return returned;
                }
                #body
            }
        }
    }

    /// Arguments that are taken apart by a pattern are bound by reference for the key and the hash,
    /// and handed on whole.
    fn bindings(&self) -> Vec<TokenStream> {
        let span = Span::mixed_site();
        let hashed: Vec<Ident> = self
            .hash
            .iter()
            .filter_map(|field| root(&field.expr))
            .collect();
        let used = |name: &Ident| {
            let previous = self.previous.iter().flat_map(|recipe| &recipe.parts);
            let mut parts = self.key.iter().chain(previous);
            hashed.contains(name) || parts.any(|part| part.roots.contains(name))
        };
        self.handler
            .args
            .iter()
            .filter(|arg| !arg.is_plain() && arg.names.iter().any(used))
            .map(|arg| {
                let pat = pattern::by_reference(&arg.pat);
                let passed = &arg.passed;
                let value = match &arg.ty {
                    Type::Reference(_) => quote_spanned!(span=> #passed),
                    _ => quote_spanned!(span=> &#passed),
                };
                quote_spanned! {span=>
                    #[allow(unused_variables)]
                    let #pat = #value;
                }
            })
            .collect()
    }

    /// `& event.tenant_id`: the `&` carries the span of the first token behind it, so that a
    /// complaint about the part's type underlines the whole part.
    fn value(&self, part: &KeyPart) -> TokenStream {
        let mut expr = part.expr.clone();
        let referenced: Vec<&Ident> = self
            .handler
            .args
            .iter()
            .filter(|arg| !arg.is_plain() && !matches!(arg.ty, Type::Reference(_)))
            .flat_map(|arg| &arg.names)
            .collect();
        dereference(&mut expr, &referenced);
        let and = syn::Token![&](first_span(&expr));
        if is_unary(&expr) {
            and.to_token_stream()
                .into_iter()
                .chain(expr.to_token_stream())
                .collect()
        } else {
            quote_spanned!(Span::mixed_site()=> #and (#expr))
        }
    }
}

/// `<T as Trait>::Name`, lying where T does.
fn projection(ty: &Type, of: TokenStream, name: &str) -> TokenStream {
    let At { first, last } = At::of(ty);
    let name = Ident::new(name, last);
    let mut out = quote_spanned!(first=> <#ty as #of);
    out.extend(quote_spanned!(last=> >::#name));
    out
}

/// Whether `&` in front takes the whole expression.
fn is_unary(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Path(_)
            | Expr::Field(_)
            | Expr::Lit(_)
            | Expr::Call(_)
            | Expr::MethodCall(_)
            | Expr::Reference(_)
            | Expr::Paren(_)
            | Expr::Group(_)
            | Expr::Unary(_)
            | Expr::Macro(_)
            | Expr::Index(_)
    )
}

pub(crate) fn root(expr: &Expr) -> Option<Ident> {
    match expr {
        Expr::Path(path) => path.path.get_ident().cloned(),
        Expr::Field(field) => root(&field.base),
        Expr::Reference(reference) => root(&reference.expr),
        Expr::Paren(paren) => root(&paren.expr),
        Expr::Group(group) => root(&group.expr),
        _ => None,
    }
}

/// R and E of `Result<R, E>`. Should that `Result` be another type than the standard one, the
/// wrapper's last line does not compile.
fn written_result(ret: &Type) -> Option<(&Type, &Type)> {
    let Type::Path(path) = ret else {
        return None;
    };
    let last = path.path.segments.last()?;
    if last.ident != "Result" || path.qself.is_some() {
        return None;
    }
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let mut types = arguments.args.iter().map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    match (types.next(), types.next(), types.next()) {
        (Some(Some(value)), Some(Some(error)), None) => Some((value, error)),
        _ => None,
    }
}

pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// What the wrapper calls the store; a complaint about its type shows the transaction.
fn store(tx: &Type) -> Ident {
    Ident::new("store", Span::mixed_site().located_at(At::of(tx).first))
}

impl Include {
    /// Makes cargo watch the contract.
    pub(crate) fn to_tokens(&self, krate: &Path) -> TokenStream {
        let span = Span::mixed_site();
        match self {
            Self::InPackage(path) => quote_spanned! {span=>
                const _: &[u8] = #krate::__private::include_bytes!(
                    #krate::__private::concat!(#krate::__private::env!("CARGO_MANIFEST_DIR"), #path)
                );
            },
            Self::Absolute(path) => quote_spanned! {span=>
                const _: &[u8] = #krate::__private::include_bytes!(#path);
            },
        }
    }
}

/// Whether a type is `impl Trait` somewhere, which only a signature can say.
fn says_impl(ty: &Type) -> bool {
    struct Impl(bool);
    impl<'ast> syn::visit::Visit<'ast> for Impl {
        fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut found = Impl(false);
    syn::visit::Visit::visit_type(&mut found, ty);
    found.0
}
