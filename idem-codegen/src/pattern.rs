//! Argument patterns: `mut order: Order`, `Json(order): Json<Order>`.

use proc_macro2::Ident;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Pat, PatIdent};

/// The names a pattern binds, in the order written.
pub(crate) fn names(pat: &Pat) -> Vec<Ident> {
    struct Names(Vec<Ident>);
    impl Visit<'_> for Names {
        fn visit_pat_ident(&mut self, pat: &PatIdent) {
            // `None` in `Some(None)` is a path that looks like a binding.
            if pat.ident.to_string().starts_with(char::is_uppercase) {
                return;
            }
            self.0.push(pat.ident.clone());
            syn::visit::visit_pat_ident(self, pat);
        }
    }
    let mut names = Names(Vec::new());
    names.visit_pat(pat);
    names.0
}

/// The pattern for matching by reference: `mut` and `ref` do not go with default binding modes.
///
/// ```text
/// Json(mut order)   becomes   Json(order)
/// ```
pub(crate) fn by_reference(pat: &Pat) -> Pat {
    struct Strip;
    impl VisitMut for Strip {
        fn visit_pat_ident_mut(&mut self, pat: &mut PatIdent) {
            pat.mutability = None;
            pat.by_ref = None;
            syn::visit_mut::visit_pat_ident_mut(self, pat);
        }
    }
    let mut pat = pat.clone();
    Strip.visit_pat_mut(&mut pat);
    pat
}
