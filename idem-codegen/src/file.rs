//! What the macros write for a source file, for reading.

use std::fmt;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt as _;
use syn::{Attribute, File, ImplItem, Item, ItemImpl, Meta};

use crate::Contracts;

/// Why there is nothing to show.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpandError {
    /// The source is not Rust.
    Syntax {
        /// Counted from 1.
        line: usize,
        /// Counted from 1, in Unicode scalar values.
        column: usize,
        /// What the parser expected.
        message: String,
    },
    /// No function carries `#[idempotent]`, and no type a derive of idem.
    Nothing,
    /// No function of that name carries `#[idempotent]`.
    NoSuchFunction {
        /// The functions that do.
        known: Vec<String>,
        /// The one among them that was probably meant.
        near: Option<String>,
    },
}

impl fmt::Display for ExpandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax {
                line,
                column,
                message,
            } => write!(f, "{line}:{column}: {message}"),
            Self::Nothing => {
                f.write_str("nothing here carries `#[idempotent]` or a derive of idem")
            }
            Self::NoSuchFunction { known, near } => {
                f.write_str("no function of that name carries `#[idempotent]`")?;
                if let Some(near) = near {
                    write!(f, "; did you mean `{near}`?")
                } else {
                    let known = crate::near::list(known.iter().map(String::as_str));
                    write!(f, "; those that do: {known}")
                }
            }
        }
    }
}

impl std::error::Error for ExpandError {}

/// The expansion of every `#[idempotent]` function and every derive of idem in a source file, or
/// of one function, formatted. The text is the same on every machine.
///
/// What the macros refuse stands in it as `compile_error!`, as the compiler would see it.
///
/// **Errors**: the source does not parse, or there is nothing to expand.
pub fn expand_file(
    source: &str,
    function: Option<&str>,
    contracts: &Contracts,
) -> Result<String, ExpandError> {
    let file = syn::parse_file(source).map_err(|error| syntax(&error))?;
    let mut found = Found {
        only: function,
        contracts,
        known: Vec::new(),
        out: TokenStream::new(),
    };
    found.items(file.items);
    if found.out.is_empty() {
        return Err(match function {
            Some(name) => ExpandError::NoSuchFunction {
                near: crate::near::near(name, found.known.iter().map(String::as_str))
                    .map(str::to_owned),
                known: found.known,
            },
            None => ExpandError::Nothing,
        });
    }
    let expanded: File = syn::parse2(found.out).map_err(|error| syntax(&error))?;
    Ok(prettyplease::unparse(&expanded))
}

fn syntax(error: &syn::Error) -> ExpandError {
    let start = error.span().start();
    ExpandError::Syntax {
        line: start.line,
        column: start.column + 1,
        message: error.to_string(),
    }
}

struct Found<'a> {
    only: Option<&'a str>,
    contracts: &'a Contracts,
    known: Vec<String>,
    out: TokenStream,
}

impl Found<'_> {
    fn items(&mut self, items: Vec<Item>) {
        for item in items {
            match item {
                Item::Fn(mut item) => {
                    let name = item.sig.ident.unraw().to_string();
                    if let Some(args) = take(&mut item.attrs) {
                        let expanded = self.function(name, args, item.to_token_stream());
                        self.out.extend(expanded);
                    }
                }
                Item::Impl(item) => self.methods(item),
                Item::Mod(item) => {
                    if let Some((_, items)) = item.content {
                        self.items(items);
                    }
                }
                Item::Struct(item) => self.derives(&item.attrs, &item.to_token_stream()),
                Item::Enum(item) => self.derives(&item.attrs, &item.to_token_stream()),
                _ => {}
            }
        }
    }

    fn function(&mut self, name: String, args: TokenStream, item: TokenStream) -> TokenStream {
        let wanted = self.only.is_none_or(|only| only == name);
        self.known.push(name);
        if wanted {
            crate::expand(args, item, self.contracts)
        } else {
            TokenStream::new()
        }
    }

    fn methods(&mut self, mut item: ItemImpl) {
        let mut methods = TokenStream::new();
        for member in &mut item.items {
            if let ImplItem::Fn(method) = member {
                let name = method.sig.ident.unraw().to_string();
                if let Some(args) = take(&mut method.attrs) {
                    methods.extend(self.function(name, args, method.to_token_stream()));
                }
            }
        }
        if methods.is_empty() {
            return;
        }
        let (generics, clause) = (&item.generics, &item.generics.where_clause);
        let self_ty = &item.self_ty;
        let head = match &item.trait_ {
            Some((path, token)) => quote!(impl #generics #path #token #self_ty #clause),
            None => quote!(impl #generics #self_ty #clause),
        };
        self.out.extend(quote!(#head { #methods }));
    }

    fn derives(&mut self, attrs: &[Attribute], item: &TokenStream) {
        if self.only.is_some() {
            return;
        }
        for name in derived(attrs) {
            self.out
                .extend(crate::derive(&name, item.clone(), self.contracts));
        }
    }
}

/// Takes `#[idempotent(…)]` off, by whatever path.
fn take(attrs: &mut Vec<Attribute>) -> Option<TokenStream> {
    let at = attrs.iter().position(|attr| {
        attr.path()
            .segments
            .last()
            .is_some_and(|last| last.ident == "idempotent")
    })?;
    match attrs.remove(at).meta {
        Meta::List(list) => Some(list.tokens),
        Meta::Path(_) | Meta::NameValue(_) => Some(TokenStream::new()),
    }
}

fn derived(attrs: &[Attribute]) -> Vec<String> {
    let mut names = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("derive")) {
        // A derive that does not parse is the compiler's to refuse.
        let _ = attr.parse_nested_meta(|meta| {
            names.extend(meta.path.segments.last().map(|last| last.ident.to_string()));
            Ok(())
        });
    }
    names
}
