//! The function under the attribute, as far as the attribute must understand it.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::{
    Attribute, FnArg, GenericParam, Pat, Path, Receiver, ReceiverKind, ReturnType, Safety,
    Signature, Type, TypeReference, Visibility,
};

use crate::own_self::mentions_self;
use crate::pattern;
use crate::report::{At, Refusal, Report};

/// A function whose body is kept as raw tokens: it need not even parse.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    pub(crate) body: Group,
}

impl Function {
    pub(crate) fn parse(item: TokenStream) -> Result<Self, Refusal> {
        let whole = At::of(&item);
        let parser = |input: ParseStream<'_>| {
            let attrs = input.call(Attribute::parse_outer)?;
            let vis = input.parse()?;
            let sig = Signature::parse(input)?;
            let body = input.parse::<TokenTree>()?;
            Ok((attrs, vis, sig, body))
        };
        match parser.parse2(item) {
            Ok((attrs, vis, sig, TokenTree::Group(body))) => Ok(Self {
                attrs,
                vis,
                sig,
                body,
            }),
            Ok((_, _, sig, _)) => Err(Refusal::new(
                At::of(&sig.ident),
                format!("`{}` has no body", sig.ident),
                "the attribute wraps what the handler does, and a declaration does nothing yet",
                "put the attribute on the function that has the body",
            )),
            Err(_) => Err(Refusal::new(
                whole,
                "`#[idempotent]` stands on something that is not a function",
                "it wraps a handler in claim and commit",
                "put it on `async fn name(tx: &mut idem::sqlite::Tx<'_>, event: &Event) -> Result<R, E>`",
            )),
        }
    }
}

/// What the wrapper needs to know of a function that it can wrap.
#[derive(Debug)]
pub(crate) struct Handler {
    pub(crate) receiver: Option<Receiver>,
    /// The transaction's or operation's type, lifetimes made `'static`: it names the store.
    pub(crate) tx: Type,
    /// What the body calls it, where that is a plain name.
    pub(crate) tx_name: Option<Ident>,
    pub(crate) takes: Takes,
    /// The arguments behind the transaction.
    pub(crate) args: Vec<Arg>,
    pub(crate) ret: Type,
    pub(crate) place: Place,
}

/// What a handler is given first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// The transaction, for local effects alone.
    Transaction,
    /// The operation, for effects outside the database.
    Operation,
}

/// Where the user's own function goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Inside the wrapper.
    Nested,
    /// Beside the wrapper, in the same `impl`: it needs `self` or `Self`.
    Sibling,
    /// As a block inside the wrapper: it needs `self` or `Self`, and may stand in the `impl` of a
    /// trait, where nothing can be put beside it.
    Block,
}

/// One argument behind the transaction.
#[derive(Debug)]
pub(crate) struct Arg {
    pub(crate) pat: Pat,
    pub(crate) ty: Type,
    pub(crate) kind: ArgKind,
    /// The names the pattern binds.
    pub(crate) names: Vec<Ident>,
    /// What the wrapper calls the argument.
    pub(crate) passed: Ident,
}

/// How an argument is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgKind {
    /// `&T`: may be handed over again.
    Shared,
    /// A number, a `bool` or a `char`: may be handed over again.
    Copied,
    /// Everything else is gone, or changed, after the handler ran once.
    Owned,
}

impl Arg {
    /// Whether the pattern is a plain name, so that the wrapper can call the argument the same.
    pub(crate) fn is_plain(&self) -> bool {
        self.names.len() == 1 && self.names[0] == self.passed
    }
}

impl Handler {
    /// Reads the signature; `None` when it cannot be wrapped, and the report says why.
    pub(crate) fn read(function: &Function, report: &mut Report) -> Option<Self> {
        let sig = &function.sig;
        let found = report.len();
        check_form(sig, report);
        let ret = return_type(sig, report);
        let mut inputs = sig.inputs.iter();
        let receiver = sig.receiver().cloned();
        if receiver.is_some() {
            inputs.next();
        }
        let first = inputs.next();
        let tx_name = match first {
            Some(FnArg::Typed(typed)) => match &*typed.pat {
                Pat::Ident(ident) => Some(ident.ident.clone()),
                _ => None,
            },
            Some(FnArg::Receiver(_)) | None => None,
        };
        let tx = transaction(sig, first, report);
        let args: Vec<Arg> = inputs
            .enumerate()
            .filter_map(|(at, input)| match input {
                FnArg::Typed(typed) => Some(Arg::read(at, &typed.pat, &typed.ty)),
                FnArg::Receiver(_) => None,
            })
            .collect();
        if report.len() > found {
            return None;
        }
        let place = if receiver.is_none() && !mentions_self(sig, &function.body) {
            Place::Nested
        } else if matches!(function.vis, Visibility::Inherited) && !is_changed_by(&function.attrs) {
            Place::Block
        } else {
            Place::Sibling
        };
        let tx = tx?;
        let takes = if is_named(&tx, "Operation") {
            Takes::Operation
        } else {
            Takes::Transaction
        };
        Some(Self {
            receiver,
            tx,
            tx_name,
            takes,
            args,
            ret: ret?,
            place,
        })
    }

    /// Whether the handler can be run again within one claim.
    pub(crate) fn is_repeatable(&self) -> bool {
        self.args.iter().all(|arg| arg.kind != ArgKind::Owned)
            && self
                .receiver
                .as_ref()
                .is_none_or(|receiver| matches!(receiver.kind, ReceiverKind::Reference(_, _, None)))
    }

    /// The argument that binds this name.
    pub(crate) fn arg(&self, name: &Ident) -> Option<&Arg> {
        self.args.iter().find(|arg| arg.names.contains(name))
    }
}

impl Arg {
    fn read(at: usize, pat: &Pat, ty: &Type) -> Self {
        let names = pattern::names(pat);
        let passed = match pat {
            Pat::Ident(ident)
                if ident.subpat.is_none() && !ident.ident.to_string().starts_with('_') =>
            {
                ident.ident.clone()
            }
            _ => format_ident!("arg{}", at + 1, span = Span::mixed_site()),
        };
        Self {
            pat: pat.clone(),
            ty: ty.clone(),
            kind: ArgKind::of(ty),
            names,
            passed,
        }
    }
}

impl ArgKind {
    fn of(ty: &Type) -> Self {
        match ty {
            Type::Reference(TypeReference {
                mutability: None, ..
            }) => Self::Shared,
            Type::Path(path) if path.qself.is_none() && is_copied(&path.path) => Self::Copied,
            Type::Paren(paren) => Self::of(&paren.elem),
            Type::Group(group) => Self::of(&group.elem),
            _ => Self::Owned,
        }
    }
}

fn is_copied(path: &Path) -> bool {
    const COPIED: &[&str] = &[
        "bool", "char", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
        "u128", "usize", "f32", "f64",
    ];
    path.get_ident()
        .is_some_and(|ident| COPIED.iter().any(|copied| ident == copied))
}

fn check_form(sig: &Signature, report: &mut Report) {
    let name = &sig.ident;
    if sig.asyncness.is_none() {
        let boxed = matches!(&sig.output, ReturnType::Type(_, ty) if ty.to_token_stream().to_string().contains("Future"));
        report.add(Refusal::new(
            At::of(&sig.fn_token),
            format!("`{name}` is not an `async fn`"),
            "the claim, the handler and the commit share one transaction, and its driver is asynchronous",
            if boxed {
                "`#[async_trait]` has already rewritten this function: put `#[idempotent]` on an `async fn` of an inherent `impl` and call it from here".to_owned()
            } else {
                format!("write `async fn {name}(…)`")
            },
        ));
    }
    for (token, word) in [
        (sig.constness.map(|token| token.to_token_stream()), "const"),
        (sig.abi.as_ref().map(ToTokens::to_token_stream), "extern"),
        (
            match &sig.safety {
                Safety::Unsafe(token) => Some(token.to_token_stream()),
                Safety::Safe(token) => Some(token.to_token_stream()),
                Safety::Default => None,
            },
            "unsafe",
        ),
    ] {
        if let Some(token) = token {
            report.add(Refusal::new(
                At::of(&token),
                format!("a handler cannot be `{word}`"),
                "the wrapper calls it like any function",
                format!("leave `{word}` out"),
            ));
        }
    }
    for input in &sig.inputs {
        let attrs = match input {
            FnArg::Typed(typed) => &typed.attrs,
            FnArg::Receiver(receiver) => &receiver.attrs,
        };
        if let Some(attr) = attrs
            .iter()
            .find(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr"))
        {
            report.add(Refusal::new(
                At::of(attr),
                "an argument of a handler cannot be behind `cfg`",
                "the wrapper hands every argument on, and cannot know which are there",
                "put `cfg` on two functions instead",
            ));
        }
    }
}

fn return_type(sig: &Signature, report: &mut Report) -> Option<Type> {
    let refuse = |at| {
        Refusal::new(
            at,
            format!("`{}` does not return a `Result`", sig.ident),
            "what is stored for a retry depends on whether the work was done, refused or undone",
            "write `-> Result<R, E>`: R is stored and replayed, E says by `#[derive(idem::Failure)]` what each failure means; `std::convert::Infallible` for none",
        )
    };
    match &sig.output {
        ReturnType::Default => {
            report.add(refuse(At::of(&sig.ident)));
            None
        }
        ReturnType::Type(_, ty) => {
            if may_be_result(ty) {
                Some((**ty).clone())
            } else {
                report.add(refuse(At::of(ty)));
                None
            }
        }
    }
}

/// Whether the type can be a `Result`, by that name or another.
fn may_be_result(ty: &Type) -> bool {
    const NONE: &[&str] = &[
        "String", "Vec", "Option", "Box", "Arc", "HashMap", "BTreeMap", "Uuid", "Decimal", "Self",
    ];
    match ty {
        Type::Path(path) => {
            let last = path.path.segments.last().map(|last| &last.ident);
            !is_copied(&path.path) && !last.is_some_and(|last| NONE.iter().any(|none| last == none))
        }
        Type::Group(group) => may_be_result(&group.elem),
        Type::Paren(paren) => may_be_result(&paren.elem),
        Type::Macro(_) => true,
        _ => false,
    }
}

/// The type behind `tx: &mut …`.
fn transaction(sig: &Signature, input: Option<&FnArg>, report: &mut Report) -> Option<Type> {
    const WRITE: &str =
        "write `tx: &mut idem::sqlite::Tx<'_>` (or `idem::postgres::Tx<'_>`) as the first argument";
    const WHY: &str =
        "the business rows and the memory of them are one commit only in one transaction";
    let name = &sig.ident;
    let Some(FnArg::Typed(first)) = input else {
        report.add(Refusal::new(
            At::of(name),
            format!("`{name}` takes no transaction"),
            WHY,
            WRITE,
        ));
        return None;
    };
    let refusal = match &*first.ty {
        Type::Reference(TypeReference {
            mutability: Some(_),
            elem,
            ..
        }) => match transaction_name(elem, sig) {
            Ok(()) => return Some(with_static_lifetimes(elem)),
            Err(refusal) => refusal,
        },
        Type::Reference(TypeReference { elem, .. })
            if is_named(elem, "Tx") || is_named(elem, "Operation") =>
        {
            Refusal::new(
                At::of(&first.ty),
                "the transaction is not `&mut`",
                "a statement changes the connection it runs on",
                format!(
                    "write `{}: &mut {}`",
                    first.pat.to_token_stream(),
                    tidy(elem)
                ),
            )
        }
        _ => {
            let later = sig.inputs.iter().any(|other| {
                matches!(other, FnArg::Typed(other)
                    if matches!(&*other.ty, Type::Reference(TypeReference { mutability: Some(_), elem, .. }) if is_named(elem, "Tx") || is_named(elem, "Operation")))
            });
            if later {
                Refusal::new(
                    At::of(first),
                    "the transaction is not the first argument",
                    "the wrapper puts the store in its place",
                    "move the transaction in front of it",
                )
            } else {
                Refusal::new(
                    At::of(first),
                    format!("`{name}` takes no transaction"),
                    WHY,
                    WRITE,
                )
            }
        }
    };
    report.add(refusal);
    None
}

fn transaction_name(ty: &Type, sig: &Signature) -> Result<(), Refusal> {
    let at = At::of(ty);
    let Type::Path(path) = ty else {
        return Err(Refusal::new(
            at,
            "the transaction has no concrete type",
            "its type decides at compile time which store the wrapper takes",
            "write `tx: &mut idem::sqlite::Tx<'_>` or `tx: &mut idem::postgres::Tx<'_>`",
        ));
    };
    let parameter = sig.generics.params.iter().any(
        |param| matches!(param, GenericParam::Type(param) if path.path.is_ident(&param.ident)),
    );
    if parameter {
        return Err(Refusal::new(
            at,
            "the transaction's type is a type parameter",
            "its type decides at compile time which store the wrapper takes",
            "write `tx: &mut idem::sqlite::Tx<'_>` or `tx: &mut idem::postgres::Tx<'_>`",
        ));
    }
    if !path
        .path
        .segments
        .last()
        .is_some_and(|last| last.ident.to_string().ends_with("Tx") || last.ident == "Operation")
    {
        return Err(Refusal::new(
            at,
            format!("`{}` is not a transaction of a store", tidy(ty)),
            "the rows and the memory of them are one commit only in the transaction that the store hands out",
            "write `tx: &mut idem::sqlite::Tx<'_>` (or `idem::postgres::Tx<'_>`) as the first argument; it derefs to the driver's connection",
        ));
    }
    Ok(())
}

fn is_named(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}

/// `Tx<'_>` is `Tx<'static>`.
fn with_static_lifetimes(ty: &Type) -> Type {
    struct Static;
    impl syn::visit_mut::VisitMut for Static {
        fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
            lifetime.ident = Ident::new("static", lifetime.ident.span());
        }
    }
    let mut ty = ty.clone();
    syn::visit_mut::VisitMut::visit_type_mut(&mut Static, &mut ty);
    ty
}

/// Whether another attribute macro is to be applied to the function as it was written.
pub(crate) fn is_changed_by(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| {
        let kept = DESCRIBING
            .iter()
            .chain(LINTS)
            .chain(&["cfg", "inline", "cold"]);
        !kept.into_iter().any(|name| attr.path().is_ident(name))
    })
}

/// Attributes that describe a function to its callers.
pub(crate) const DESCRIBING: &[&str] = &["doc", "deprecated", "must_use"];

/// Attributes that set lints.
pub(crate) const LINTS: &[&str] = &["allow", "warn", "deny", "forbid", "expect"];

/// A type as a person would write it.
pub(crate) fn tidy(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (loose, tight) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" . ", "."),
        (" < ", "<"),
        (" >", ">"),
        ("< ", "<"),
        ("& ", "&"),
        (" (", "("),
        (" ,", ","),
        (" !", "!"),
    ] {
        text = text.replace(loose, tight);
    }
    text
}
