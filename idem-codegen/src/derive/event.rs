//! `#[derive(Event)]`: nothing is added; the payload is looked at.

use idem_contract::{Contract, Field, FieldType, HashSpec, unstable};
use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt as _;
use syn::{Data, DeriveInput, Fields, GenericArgument, LitStr, PathArguments, Type};

use super::names::{self, Serde};
use crate::Contracts;
use crate::near::{list, near};
use crate::report::{At, Refusal, Report};
use crate::source::{cannot_load, findings};

/// Values born on our side are not seen in a key expression: `#[serde(default = "Uuid::new_v4")]`
/// makes another id each time the same event arrives without one. With
/// `#[event(contract = "…")]`, names and types are compared with the contract's payload, too.
pub(super) fn expand(
    input: &DeriveInput,
    contracts: &Contracts,
    report: &mut Report,
) -> TokenStream {
    let krate = super::krate(input, "event", report);
    let name = contract_name(input, report);
    let mut out = TokenStream::new();
    let mut contract = None;
    if let Some(name) = &name {
        match contracts.load(&name.value()) {
            Ok(loaded) => {
                out = loaded.include.to_tokens(&krate);
                if loaded.errors.is_empty() {
                    contract = Some(loaded);
                } else {
                    report.add(findings(&loaded, At::span(name.span())));
                }
            }
            Err(trouble) => report.add(cannot_load(&name.value(), trouble, name.span())),
        }
    }
    let Data::Struct(data) = &input.data else {
        return out;
    };
    let Fields::Named(fields) = &data.fields else {
        return out;
    };
    let whole = Serde::read(&input.attrs);
    let members: Vec<Member<'_>> = fields
        .named
        .iter()
        .filter_map(|field| Member::read(field, whole.rename_all.as_deref()))
        .collect();
    match contract.as_deref().map(|loaded| &loaded.contract) {
        Some(contract) => {
            let part = Part::of(contract);
            members
                .iter()
                .for_each(|member| part.check_default(member, report));
            part.check_whole_default(&whole, &members, report);
            members
                .iter()
                .for_each(|member| part.check_type(member, report));
            part.check_missing(&input.ident, &members, report);
        }
        // A contract was named and cannot be used: what is a key field is not known.
        None if name.is_some() => {}
        None => members
            .iter()
            .for_each(|member| check_generator(member, report)),
    }
    out
}

/// `#[event(contract = "refund-order")]`.
fn contract_name(input: &DeriveInput, report: &mut Report) -> Option<LitStr> {
    let mut found = None;
    for attr in input
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("event"))
    {
        let parsed = attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("contract") {
                found = Some(meta.value()?.parse::<LitStr>()?);
                return Ok(());
            }
            if meta.path.is_ident("crate") {
                meta.value()?.call(syn::Path::parse_mod_style)?;
                return Ok(());
            }
            Err(meta.error("unknown"))
        });
        if let Err(error) = parsed {
            let refusal = Refusal::new(
                At::span(error.span()),
                "this is not an argument of `#[event]`",
                "",
                "write `#[event(contract = \"refund-order\")]`",
            );
            report.add(refusal.by("unknown-field"));
        }
    }
    found
}

/// One field of the payload struct.
struct Member<'a> {
    ident: &'a Ident,
    ty: &'a Type,
    /// As Rust and as the wire call it.
    names: [String; 2],
    serde: Serde,
}

impl<'a> Member<'a> {
    fn read(field: &'a syn::Field, rename_all: Option<&str>) -> Option<Self> {
        let ident = field.ident.as_ref()?;
        let serde = Serde::read(&field.attrs);
        let rust = ident.unraw().to_string();
        let wire = serde
            .rename
            .clone()
            .unwrap_or_else(|| names::field(&rust, rename_all));
        Some(Self {
            ident,
            ty: &field.ty,
            names: [rust, wire],
            serde,
        })
    }

    fn is_called(&self, name: &str) -> bool {
        self.names.iter().any(|own| own == name)
    }

    /// The generator that fills in for a missing value.
    fn generator(&self) -> Option<(&LitStr, &'static unstable::Unstable)> {
        let path = self.serde.default.as_ref()?.1.as_ref()?;
        let entry = unstable::lookup_path(&path.value())?;
        (entry.level == unstable::Level::Deny).then_some((path, entry))
    }
}

fn check_generator(member: &Member<'_>, report: &mut Report) {
    if let Some((path, _)) = member.generator() {
        let refusal = Refusal::new(
            At::span(path.span()),
            format!(
                "`{}` is made up by `{}` when the event comes without it",
                member.ident,
                path.value()
            ),
            "each delivery of the same event gets another value: a key or hash with it never matches",
            "refuse an event without it; or write `#[event(contract = \"…\")]`, and only the fields of its key and hash are looked at",
        );
        report.add(refusal.by("generated-default"));
    }
}

/// The parts of a contract that a payload struct is compared with.
struct Part<'a> {
    contract: &'a Contract,
    key: Vec<&'a str>,
    hash: Vec<&'a str>,
}

impl<'a> Part<'a> {
    fn of(contract: &'a Contract) -> Self {
        let key: Vec<&str> = contract
            .key
            .fields
            .get()
            .into_iter()
            .flatten()
            .map(|name| name.value.as_str())
            .collect();
        let hash = match contract.request.hash.get() {
            Some(HashSpec::Fields(fields)) => {
                fields.iter().map(|name| name.value.as_str()).collect()
            }
            Some(HashSpec::All) => {
                let ignored = contract.request.ignore.get();
                contract
                    .payload
                    .iter()
                    .map(|field| field.name.value.as_str())
                    .filter(|name| {
                        !ignored
                            .into_iter()
                            .flatten()
                            .any(|ignored| ignored.value == *name)
                    })
                    .collect()
            }
            Some(HashSpec::None) | None => Vec::new(),
        };
        Self {
            contract,
            key,
            hash,
        }
    }

    fn is_key(&self, member: &Member<'_>) -> bool {
        self.key.iter().any(|name| member.is_called(first(name)))
    }

    fn is_hashed(&self, member: &Member<'_>) -> bool {
        self.hash.iter().any(|name| member.is_called(first(name)))
    }

    fn check_default(&self, member: &Member<'_>, report: &mut Report) {
        let Some((span, path)) = &member.serde.default else {
            return;
        };
        let ident = member.ident;
        let by = path
            .as_ref()
            .map_or_else(|| "default".to_owned(), LitStr::value);
        let at = At::span(path.as_ref().map_or(*span, LitStr::span));
        let generator = member.generator();
        let rule = match (self.is_key(member), self.is_hashed(member), generator) {
            (true, _, Some((_, entry))) => entry.category.rule().unwrap_or("random-in-key"),
            (true, _, None) => "default-in-key",
            (false, true, Some(_)) => "volatile-hash-field",
            (false, true, None) | (false, false, _) => return,
        };
        let (message, why, help) = if generator.is_some() && self.is_key(member) {
            (
                format!(
                    "the key field `{ident}` is made up by `{by}` when the event comes without it"
                ),
                "each delivery of the same event gets another key, and does the work again",
                "leave the default out: an event without its identifier is refused",
            )
        } else if self.is_key(member) {
            (
                format!(
                    "`{by}` stands in for the key field `{ident}` when the event comes without it"
                ),
                "all events without it share one key, and all but the first are dropped as duplicates",
                "leave the default out: an event without its identifier is refused",
            )
        } else {
            (
                format!(
                    "`{ident}` is in the request hash, and made up by `{by}` when the event comes without it"
                ),
                "each delivery of the same event gets another hash, and an honest retry is refused",
                "leave the default out, or take the field out of `[request] hash`",
            )
        };
        report.add(Refusal::new(at, message, why, help).by(rule));
    }

    /// `#[serde(default)]` on the struct fills in for every field.
    fn check_whole_default(&self, whole: &Serde, members: &[Member<'_>], report: &mut Report) {
        let Some((span, _)) = whole.default else {
            return;
        };
        let own = members.iter().filter(|member| self.is_key(member));
        let own: Vec<String> = own
            .filter(|member| member.serde.default.is_none())
            .map(|member| member.ident.to_string())
            .collect();
        if own.is_empty() {
            return;
        }
        let refusal = Refusal::new(
            At::span(span),
            format!(
                "`default` on the whole struct stands in for the key's {} too",
                list(own.iter().map(String::as_str))
            ),
            "all events without it share one key, and all but the first are dropped as duplicates",
            "write `#[serde(default)]` on the fields that may be missing",
        );
        report.add(refusal.by("default-in-key"));
    }

    fn check_type(&self, member: &Member<'_>, report: &mut Report) {
        let field = member
            .names
            .iter()
            .find_map(|name| self.contract.field(name));
        let Some(field) = field else {
            return;
        };
        let Some(declared) = field.kind.get() else {
            return;
        };
        let (inner, optional) = match optional(member.ty) {
            Some(inner) => (inner, true),
            None => (member.ty, false),
        };
        let name = &field.name.value;
        if conflicts(*declared, inner) {
            let refusal = Refusal::new(
                At::of(inner),
                format!(
                    "the contract says that `{name}` is {}, and this type holds none",
                    with_article(*declared)
                ),
                "key and hash are made from the contract's type: a value that is written differently never matches",
                format!("write {}, or change the contract", example(*declared)),
            );
            report.add(refusal.by("attribute-disagrees"));
        } else if optional && !self.is_key(member) && is_required(field) {
            let refusal = Refusal::new(
                At::of(member.ty),
                format!(
                    "the contract says that `{name}` is required, and this type lets it be absent"
                ),
                "an event that the contract refuses would be worked on",
                format!(
                    "leave `Option` out, or write `required = false` for `{name}` in the contract"
                ),
            );
            report.add(refusal.by("attribute-disagrees"));
        }
    }

    fn check_missing(&self, ident: &Ident, members: &[Member<'_>], report: &mut Report) {
        if members.iter().any(|member| member.serde.flatten) {
            return;
        }
        let mut missing: Vec<&str> = Vec::new();
        for field in &self.contract.payload {
            let name = first(&field.name.value);
            let there = members
                .iter()
                .any(|member| member.is_called(name) && !member.serde.skip);
            if !there && !missing.contains(&name) {
                missing.push(name);
            }
        }
        let in_key = |name: &&str| self.key.iter().any(|key| first(key) == *name);
        let (key, others): (Vec<&str>, Vec<&str>) = missing.into_iter().partition(in_key);
        for name in key {
            let refusal = Refusal::new(
                At::of(ident),
                format!("`{ident}` has no field `{name}`, which is in the contract's key"),
                "without it the key cannot be made from this event",
                nearest(name, members),
            );
            report.add(refusal.by("undeclared-key-field"));
        }
        if let [first, ..] = others.as_slice() {
            let refusal = Refusal::new(
                At::of(ident),
                format!(
                    "`{ident}` does not have {} of the contract's payload",
                    list(others.iter().copied())
                ),
                "contract and code describe one event; what is in one of them alone is checked by nobody",
                nearest(first, members),
            );
            report.add(refusal.by("attribute-disagrees"));
        }
    }
}

fn nearest(name: &str, members: &[Member<'_>]) -> String {
    let known = members.iter().map(|member| member.names[0].as_str());
    match near(name, known) {
        Some(near) => format!("is it `{near}`? Give both the same name"),
        None => format!("add the field `{name}`, or take it out of the contract's payload"),
    }
}

fn first(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

fn is_required(field: &Field) -> bool {
    field.required.or(true) && field.default.is_absent()
}

/// T of `Option<T>`.
fn optional(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) if last.ident == "Option" => Some(inner),
        _ => None,
    }
}

/// Whether a type whose meaning is certain by its name cannot hold what the contract declares.
fn conflicts(declared: FieldType, ty: &Type) -> bool {
    let Type::Path(path) = ty else {
        return false;
    };
    let Some(last) = path.path.segments.last() else {
        return false;
    };
    use FieldType as F;
    let holds: &[F] = match last.ident.to_string().as_str() {
        "bool" => &[F::Boolean],
        "f32" | "f64" => &[F::Float],
        "i8" | "i16" | "i32" | "i64" | "i128" | "u8" | "u16" | "u32" | "u64" | "u128" | "isize"
        | "usize" => &[F::Integer, F::Decimal, F::Float, F::Timestamp],
        "String" | "char" => &[
            F::String,
            F::Uuid,
            F::Decimal,
            F::Date,
            F::Timestamp,
            F::Enum,
            F::Bytes,
        ],
        "Uuid" => &[F::Uuid, F::String],
        "Vec" | "VecDeque" => &[F::Array, F::Bytes],
        "HashMap" | "BTreeMap" => &[F::Object],
        _ => return false,
    };
    !holds.contains(&declared)
}

fn with_article(declared: FieldType) -> String {
    let word = declared.as_str();
    let article = if word.starts_with(['a', 'e', 'i', 'o']) {
        "an"
    } else {
        "a"
    };
    match declared {
        FieldType::Bytes => word.to_owned(),
        FieldType::String
        | FieldType::Integer
        | FieldType::Boolean
        | FieldType::Uuid
        | FieldType::Decimal
        | FieldType::Float
        | FieldType::Date
        | FieldType::Timestamp
        | FieldType::Enum
        | FieldType::Object
        | FieldType::Array => format!("{article} {word}"),
    }
}

fn example(declared: FieldType) -> &'static str {
    match declared {
        FieldType::String => "`String`",
        FieldType::Integer => "`i64`",
        FieldType::Boolean => "`bool`",
        FieldType::Uuid => "`Uuid`",
        FieldType::Decimal => "`Decimal`",
        FieldType::Float => "`f64`",
        FieldType::Date => "a civil date of chrono, time or jiff",
        FieldType::Timestamp => "a date-time of chrono, time or jiff",
        FieldType::Enum => "an enum",
        FieldType::Bytes => "`Vec<u8>`",
        FieldType::Object => "a struct",
        FieldType::Array => "`Vec<T>`",
    }
}
