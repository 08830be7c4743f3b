//! Whether tokens speak of the `Self` around them.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::quote;
use syn::Signature;

/// Whether the function needs to stand in its `impl`: its signature or body says `Self`. A `Self`
/// of an item inside the body is that item's own.
pub(crate) fn mentions_self(sig: &Signature, body: &Group) -> bool {
    says_self(quote!(#sig)) || says_self(body.stream())
}

pub(crate) fn says_self(tokens: TokenStream) -> bool {
    let mut item = false;
    for token in tokens {
        match token {
            // To compare an identifier is to make a text of it.
            TokenTree::Ident(ident) => match ident.to_string().as_str() {
                "Self" => return true,
                "impl" | "trait" | "struct" | "enum" | "union" => item = true,
                _ => {}
            },
            TokenTree::Group(group) => {
                let brace = group.delimiter() == proc_macro2::Delimiter::Brace;
                if !(brace && item) && says_self(group.stream()) {
                    return true;
                }
                item &= !brace;
            }
            TokenTree::Punct(punct) => item &= punct.as_char() != ';',
            TokenTree::Literal(_) => {}
        }
    }
    false
}
