//! Refusals, gathered until a stage is over, so that all of a handler's come out together.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::Path;

/// The tokens something was written in: the first one's span and the last one's.
///
/// Joined spans do not exist outside a compiler; the compiler itself joins the two ends of a
/// `compile_error!`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub(crate) first: Span,
    pub(crate) last: Span,
}

impl At {
    pub(crate) fn of(tokens: &impl ToTokens) -> Self {
        let mut tokens = tokens.to_token_stream().into_iter();
        let Some(first) = tokens.next() else {
            return Self::span(Span::call_site());
        };
        let last = tokens.last();
        Self {
            first: opening(&first),
            last: closing(last.as_ref().unwrap_or(&first)),
        }
    }

    pub(crate) const fn span(span: Span) -> Self {
        Self {
            first: span,
            last: span,
        }
    }
}

/// A path of idem's private module that lies over what is handed to it: the compiler's "required by
/// a bound introduced by this call" would otherwise underline the attribute, and is left out when
/// both places are one.
pub(crate) fn private(krate: &Path, name: &str, at: At) -> TokenStream {
    lying(quote::quote!(#krate::__private::), name, at)
}

/// The same for a public path.
pub(crate) fn public(krate: &Path, name: &str, at: At) -> TokenStream {
    lying(quote::quote!(#krate::), name, at)
}

/// `function::<T>(arguments)`, all of it lying where T does.
pub(crate) fn asked(
    function: TokenStream,
    ty: TokenStream,
    arguments: TokenStream,
    at: At,
) -> TokenStream {
    let (first, last) = (at.first, at.last);
    let arguments = group(Delimiter::Parenthesis, arguments, at);
    let mut out = function;
    out.extend(quote_spanned!(first=> ::<#ty));
    out.extend(quote_spanned!(last=> >));
    out.extend([TokenTree::Group(arguments)]);
    out
}

fn lying(path: TokenStream, name: &str, at: At) -> TokenStream {
    let mut out: TokenStream = path
        .into_iter()
        .map(|mut token| {
            // `$crate` is resolved by its span.
            let keep = matches!(&token, TokenTree::Ident(ident) if ident == "$crate");
            token.set_span(if keep {
                token.span().located_at(at.first)
            } else {
                at.first
            });
            token
        })
        .collect();
    out.extend([TokenTree::Ident(Ident::new(name, at.last))]);
    out
}

/// `(tokens)`, or what the delimiter says, whose end lies where `at` ends.
pub(crate) fn group(delimiter: Delimiter, tokens: TokenStream, at: At) -> Group {
    let mut group = Group::new(delimiter, tokens);
    group.set_span(at.last);
    group
}

fn opening(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) if group.delimiter() != Delimiter::None => group.span_open(),
        TokenTree::Group(group) => At::of(&group.stream()).first,
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => token.span(),
    }
}

fn closing(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) if group.delimiter() != Delimiter::None => group.span_close(),
        TokenTree::Group(group) => At::of(&group.stream()).last,
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => token.span(),
    }
}

/// One mistake: where, what, why, and what to write instead.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) at: At,
    /// The rule that `idem explain` knows; none for the form of a handler, which is no rule.
    pub(crate) rule: Option<&'static str>,
    pub(crate) message: String,
    pub(crate) why: String,
    pub(crate) help: String,
}

impl Refusal {
    pub(crate) fn new(
        at: At,
        message: impl Into<String>,
        why: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            at,
            rule: None,
            message: message.into(),
            why: why.into(),
            help: help.into(),
        }
    }

    pub(crate) fn by(mut self, rule: &'static str) -> Self {
        self.rule = Some(rule);
        self
    }

    /// The lines a user reads below `error:`.
    pub(crate) fn text(&self) -> String {
        let Self {
            message, why, help, ..
        } = self;
        let mut text = message.clone();
        if let Some(rule) = self.rule {
            text.push_str(&format!(" [{rule}]"));
        }
        for (word, line) in [("why", why), ("help", help)] {
            if !line.is_empty() {
                text.push_str(&format!("\n{word}: {line}"));
            }
        }
        text
    }

    /// `::core::compile_error! { "…" }`, from the first token to the last.
    fn to_tokens(&self, out: &mut TokenStream) {
        let At { first, last } = self.at;
        let punct = |c, spacing| {
            let mut punct = Punct::new(c, spacing);
            punct.set_span(first);
            TokenTree::Punct(punct)
        };
        let ident = |name| TokenTree::Ident(Ident::new(name, first));
        let mut text = Literal::string(&self.text());
        text.set_span(last);
        let mut group = Group::new(Delimiter::Brace, TokenTree::Literal(text).into());
        group.set_span(last);
        out.extend([
            punct(':', Spacing::Joint),
            punct(':', Spacing::Alone),
            ident("core"),
            punct(':', Spacing::Joint),
            punct(':', Spacing::Alone),
            ident("compile_error"),
            punct('!', Spacing::Alone),
            TokenTree::Group(group),
        ]);
    }
}

/// A stage's refusals. Dropping one unread would lose a mistake, so that panics.
#[derive(Debug, Default)]
pub(crate) struct Report {
    refusals: Vec<Refusal>,
    read: bool,
}

impl Report {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn add(&mut self, refusal: Refusal) {
        self.refusals.push(refusal);
    }

    pub(crate) fn extend(&mut self, refusals: impl IntoIterator<Item = Refusal>) {
        self.refusals.extend(refusals);
    }

    pub(crate) fn len(&self) -> usize {
        self.refusals.len()
    }

    /// Drops what somebody else will say.
    pub(crate) fn forget(mut self) {
        self.read = true;
    }

    /// One `compile_error!` a refusal, in the order found.
    pub(crate) fn into_tokens(mut self) -> TokenStream {
        self.read = true;
        let mut out = TokenStream::new();
        for refusal in &self.refusals {
            refusal.to_tokens(&mut out);
        }
        out
    }
}

impl Drop for Report {
    fn drop(&mut self) {
        assert!(
            self.read || self.refusals.is_empty() || std::thread::panicking(),
            "refusals were found and not reported: {:?}",
            self.refusals
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_why_and_what_to_write_instead() {
        let refusal = Refusal::new(
            At::span(Span::call_site()),
            "`now` reads the clock",
            "no retry finds the first attempt",
            "write the refund's id",
        );
        assert_eq!(
            refusal.clone().by("clock-in-key").text(),
            "`now` reads the clock [clock-in-key]\nwhy: no retry finds the first attempt\nhelp: write the refund's id"
        );
        let mut report = Report::new();
        report.add(refusal);
        assert_eq!(
            report.into_tokens().to_string(),
            ":: core :: compile_error ! { \"`now` reads the clock\\nwhy: no retry finds the first attempt\\nhelp: write the refund's id\" }"
        );
    }
}
