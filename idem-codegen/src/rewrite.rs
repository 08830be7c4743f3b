//! Small changes of a key expression before it is emitted.

use proc_macro2::{Ident, Span};
use quote::ToTokens as _;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprCall, ExprField, ExprMethodCall, Path, Token, parse_quote};

/// Reads `names`, which are bound by reference here, as the values they are elsewhere.
///
/// ```text
/// plan_of(id)    becomes   plan_of(*id)
/// event.id       stays     event.id
/// ```
pub(crate) fn dereference(expr: &mut Expr, names: &[&Ident]) {
    if !names.is_empty() && !matches!(expr, Expr::Path(_)) {
        Dereference { names }.visit_expr_mut(expr);
    }
}

struct Dereference<'a> {
    names: &'a [&'a Ident],
}

impl Dereference<'_> {
    fn is_bound(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Path(path)
            if path.path.get_ident().is_some_and(|ident| self.names.contains(&ident)))
    }

    /// The base of a field and the receiver of a method find their way through references.
    fn visit_base(&mut self, base: &mut Expr) {
        if !self.is_bound(base) {
            self.visit_expr_mut(base);
        }
    }
}

impl VisitMut for Dereference<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if self.is_bound(expr) {
            let star = Token![*](first_span(expr));
            *expr = parse_quote!(#star #expr);
        } else {
            syn::visit_mut::visit_expr_mut(self, expr);
        }
    }

    fn visit_expr_field_mut(&mut self, field: &mut ExprField) {
        self.visit_base(&mut field.base);
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        self.visit_base(&mut call.receiver);
        for argument in &mut call.args {
            self.visit_expr_mut(argument);
        }
    }
}

/// The parts that idem computes, by their own path, whether imported or not.
///
/// ```text
/// sha256(event.email)   becomes   ::idem::key::sha256(&event.email)
/// ```
pub(crate) fn built_ins(expr: &mut Expr, krate: &Path) {
    BuiltIns { krate }.visit_expr_mut(expr);
}

struct BuiltIns<'a> {
    krate: &'a Path,
}

/// Whether a call's path names one of the parts that idem computes.
pub(crate) fn is_built_in(path: &Path) -> bool {
    let mut segments = path.segments.iter().rev();
    let last = segments.next().is_some_and(|last| {
        ["sha256", "lower", "uuid_v5"]
            .iter()
            .any(|name| last.ident == name)
    });
    last && segments.next().is_none_or(|module| module.ident == "key")
}

impl VisitMut for BuiltIns<'_> {
    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        syn::visit_mut::visit_expr_call_mut(self, call);
        let Expr::Path(func) = &mut *call.func else {
            return;
        };
        if !is_built_in(&func.path) {
            return;
        }
        if let Some(last) = func.path.segments.last().cloned() {
            let krate = self.krate;
            func.path = parse_quote!(#krate::key::#last);
        }
        if let Some(part) = call.args.last_mut() {
            let and = Token![&](first_span(part));
            *part = parse_quote!(#and #part);
        }
    }
}

/// The span of the expression's first token: an `&` with it makes the compiler underline the whole.
pub(crate) fn first_span(expr: &Expr) -> Span {
    expr.to_token_stream()
        .into_iter()
        .next()
        .map_or_else(Span::call_site, |token| token.span())
}
