//! From names in a contract to expressions over the handler's arguments.

use idem_contract::{Contract, FieldType, HashSpec};
use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote_spanned};
use syn::{Expr, Path, Type};

use crate::args::{Args, HashArg};
use crate::handler::{Arg, Handler};
use crate::near::{list, near};
use crate::report::{At, Refusal, Report, group, private};

/// Where the fields of the contract are found: the handler's arguments, and the one that is the
/// payload.
#[derive(Debug)]
pub(crate) struct Resolver<'a> {
    handler: &'a Handler,
    payload: Option<Ident>,
    /// The span of what is made from a name: the contract's name in the attribute.
    span: Span,
}

impl<'a> Resolver<'a> {
    /// The payload is the one named, the one that the key's paths start at, or the only argument
    /// behind the transaction.
    pub(crate) fn new(
        handler: &'a Handler,
        args: &Args,
        started_at: &[Ident],
        span: Span,
        report: &mut Report,
    ) -> Self {
        let payload = match (&args.payload, started_at) {
            (Some(named), _) => {
                if handler.arg(named).is_none() {
                    report.add(no_such_argument(named, handler));
                }
                Some(named.clone())
            }
            (None, [only]) => Some(only.clone()),
            (None, _) => match handler.args.as_slice() {
                [only] if only.names.len() == 1 => only.names.first().cloned(),
                _ => None,
            },
        };
        Self {
            handler,
            payload,
            span,
        }
    }

    /// An argument of that name, else a field path of the payload.
    pub(crate) fn expr(&self, name: &str) -> Option<Expr> {
        let mut segments = name.split('.');
        let argument = self
            .handler
            .args
            .iter()
            .flat_map(|arg| &arg.names)
            .find(|bound| **bound == name);
        let start = match argument {
            Some(argument) => {
                segments.next();
                argument
            }
            None => self.payload.as_ref()?,
        };
        let start = Ident::new(&start.to_string(), self.span.resolved_at(start.span()));
        let mut path = start.to_token_stream();
        for segment in segments {
            let member = member(segment, self.span.resolved_at(start.span()))?;
            path.extend(quote_spanned!(self.span=> .#member));
        }
        syn::parse2(path).ok()
    }

    /// What is said when a field cannot be found.
    pub(crate) fn lost(&self, names: &[&str], of: &str) -> Refusal {
        let names_list = list(names.iter().copied());
        Refusal::new(
            At::span(self.span),
            format!("the handler's arguments do not show where {names_list} of the contract's {of} is"),
            "a field that is silently left out is not checked",
            "write `payload = event` for the argument that holds the payload's fields, or give the field as an argument of its own name",
        )
        .by("attribute-disagrees")
    }
}

fn no_such_argument(named: &Ident, handler: &Handler) -> Refusal {
    let known: Vec<String> = handler
        .args
        .iter()
        .flat_map(|arg| &arg.names)
        .map(ToString::to_string)
        .collect();
    let help = match near(&named.to_string(), known.iter().map(String::as_str)) {
        Some(near) => format!("write `payload = {near}`"),
        None => format!(
            "the arguments are {}",
            list(known.iter().map(String::as_str))
        ),
    };
    Refusal::new(
        At::span(named.span()),
        format!("`{named}` is not an argument of the handler"),
        "",
        help,
    )
    .by("unknown-value")
}

/// A name of the contract as a member: `type` is `r#type`, `0` the first of a tuple.
fn member(name: &str, span: Span) -> Option<TokenStream> {
    if let Ok(index) = name.parse::<u32>() {
        return Some(syn::Index { index, span }.to_token_stream());
    }
    let mut ident = syn::parse_str::<Ident>(name)
        .or_else(|_| syn::parse_str::<Ident>(&format!("r#{name}")))
        .ok()?;
    ident.set_span(span);
    Some(ident.to_token_stream())
}

/// One field of the request hash.
#[derive(Debug)]
pub(crate) struct HashField {
    pub(crate) name: String,
    /// The contract's word for its type; none for what no contract describes.
    pub(crate) kind: Option<FieldType>,
    pub(crate) expr: Expr,
    /// Whether the expression is a reference already.
    is_reference: bool,
    /// Where a mistake in its type is shown.
    at: At,
}

/// The fields that the contract declares: never one that is ignored or undeclared.
pub(crate) fn declared(
    contract: &Contract,
    resolver: &Resolver<'_>,
    report: &mut Report,
) -> Vec<HashField> {
    let key: Vec<&str> = values(contract.key.fields.get());
    let ignored: Vec<&str> = values(contract.request.ignore.get());
    let names: Vec<&str> = match contract.request.hash.get() {
        Some(HashSpec::Fields(fields)) => fields.iter().map(|field| field.value.as_str()).collect(),
        Some(HashSpec::All) => contract
            .payload
            .iter()
            .map(|field| field.name.value.as_str())
            .filter(|name| !key.contains(name) && !ignored.contains(name))
            .collect(),
        Some(HashSpec::None) | None => Vec::new(),
    };
    let mut fields = Vec::new();
    let mut lost = Vec::new();
    for name in names {
        match resolver.expr(name) {
            Some(expr) => fields.push(HashField {
                name: name.to_owned(),
                kind: contract
                    .field(name)
                    .and_then(|field| field.kind.get().copied()),
                expr,
                is_reference: false,
                at: At::span(resolver.span),
            }),
            None => lost.push(name),
        }
    }
    if !lost.is_empty() {
        report.add(resolver.lost(&lost, "request hash"));
    }
    fields
}

fn values(names: Option<&Vec<idem_contract::Spanned<String>>>) -> Vec<&str> {
    names.map_or_else(Vec::new, |names| {
        names.iter().map(|name| name.value.as_str()).collect()
    })
}

/// Without a contract: the fields of `hash = (…)`, or every argument behind the transaction, whole.
pub(crate) fn undeclared(
    hash: Option<&HashArg>,
    handler: &Handler,
    report: &mut Report,
) -> Vec<HashField> {
    let Some(hash) = hash else {
        return handler.args.iter().map(whole).collect();
    };
    let mut fields = Vec::new();
    for expr in &hash.fields {
        match path_name(expr, handler) {
            Some(name) => fields.push(HashField {
                name,
                kind: None,
                expr: expr.clone(),
                is_reference: false,
                at: At::of(expr),
            }),
            None => report.add(Refusal::new(
                At::of(expr),
                "the request hash takes fields, and this is not one",
                "what is hashed must be what the caller sent, or an honest retry is refused",
                "write an argument, or a field path that starts at one: `hash = (event.order_id, event.amount)`",
            )),
        }
    }
    fields
}

fn whole(arg: &Arg) -> HashField {
    let ident = match arg.names.as_slice() {
        [only] => only,
        _ => &arg.passed,
    };
    HashField {
        name: ident.to_string(),
        kind: None,
        expr: syn::parse_quote!(#ident),
        is_reference: matches!(arg.ty, Type::Reference(_)),
        at: At::of(&arg.ty),
    }
}

/// `event.customer.id` is `customer.id`, an argument its own name.
fn path_name(expr: &Expr, handler: &Handler) -> Option<String> {
    match expr {
        Expr::Path(path) => {
            let ident = path.path.get_ident()?;
            (handler.arg(ident).is_some()).then(|| ident.to_string())
        }
        Expr::Field(field) => {
            let base = path_name(&field.base, handler)?;
            let member = crate::key::member(&field.member);
            match &*field.base {
                Expr::Field(_) => Some(format!("{base}.{member}")),
                _ => Some(member),
            }
        }
        Expr::Reference(reference) => path_name(&reference.expr, handler),
        Expr::Paren(paren) => path_name(&paren.expr, handler),
        Expr::Group(group) => path_name(&group.expr, handler),
        _ => None,
    }
}

impl HashField {
    /// `hashed(&mut delivery, "order_id", FieldType::String, &event.order_id);`
    pub(crate) fn to_tokens(&self, delivery: &Ident, krate: &Path) -> TokenStream {
        let span = Span::mixed_site();
        let Self { name, expr, at, .. } = self;
        let kind = variant(self.kind);
        let function = private(krate, "hashed", *at);
        let and = (!self.is_reference).then(|| syn::Token![&](at.first));
        let arguments =
            quote_spanned!(span=> &mut #delivery, #name, #krate::FieldType::#kind, #and #expr);
        let arguments = group(Delimiter::Parenthesis, arguments, *at);
        quote_spanned!(span=> #function #arguments;)
    }
}

pub(crate) fn variant(kind: Option<FieldType>) -> Ident {
    let name = match kind {
        None => "Any",
        Some(FieldType::String) => "String",
        Some(FieldType::Integer) => "Integer",
        Some(FieldType::Boolean) => "Boolean",
        Some(FieldType::Uuid) => "Uuid",
        Some(FieldType::Decimal) => "Decimal",
        Some(FieldType::Float) => "Float",
        Some(FieldType::Date) => "Date",
        Some(FieldType::Timestamp) => "Timestamp",
        Some(FieldType::Enum) => "Enum",
        Some(FieldType::Bytes) => "Bytes",
        Some(FieldType::Object) => "Object",
        Some(FieldType::Array) => "Array",
    };
    format_ident!("{name}", span = Span::mixed_site())
}
