//! Names as serde writes them.

use syn::{Attribute, LitStr};

/// What serde's attributes on one item say.
#[derive(Debug, Default)]
pub(super) struct Serde {
    pub(super) rename: Option<String>,
    pub(super) rename_all: Option<String>,
    /// `default`, with the path where one is given.
    pub(super) default: Option<(proc_macro2::Span, Option<LitStr>)>,
    pub(super) skip: bool,
    pub(super) flatten: bool,
}

impl Serde {
    /// Reads `#[serde(…)]`; what it cannot read is serde's to refuse.
    pub(super) fn read(attrs: &[Attribute]) -> Self {
        let mut serde = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
            let _ = attr.parse_nested_meta(|meta| {
                let name = meta.path.get_ident().map(ToString::to_string);
                match name.as_deref() {
                    Some("rename") => serde.rename = text(&meta)?,
                    Some("rename_all") => serde.rename_all = text(&meta)?,
                    Some("default") => {
                        let path = match meta.value() {
                            Ok(value) => Some(value.parse::<LitStr>()?),
                            Err(_) => None,
                        };
                        let span = syn::spanned::Spanned::span(&meta.path);
                        serde.default = Some((span, path));
                    }
                    Some("skip" | "skip_deserializing") => serde.skip = true,
                    Some("flatten") => serde.flatten = true,
                    _ => ignore(&meta)?,
                }
                Ok(())
            });
        }
        serde
    }
}

/// `rename = "x"`, or how it is read: `rename(serialize = "y", deserialize = "x")`.
fn text(meta: &syn::meta::ParseNestedMeta<'_>) -> syn::Result<Option<String>> {
    if meta.input.peek(syn::Token![=]) {
        return Ok(Some(meta.value()?.parse::<LitStr>()?.value()));
    }
    let mut found = None;
    meta.parse_nested_meta(|inner| {
        let value = inner.value()?.parse::<LitStr>()?.value();
        if inner.path.is_ident("deserialize") {
            found = Some(value);
        }
        Ok(())
    })?;
    Ok(found)
}

fn ignore(meta: &syn::meta::ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(syn::Token![=]) {
        meta.value()?.parse::<syn::Expr>()?;
    } else if meta.input.peek(syn::token::Paren) {
        meta.parse_nested_meta(|inner| ignore(&inner))?;
    }
    Ok(())
}

/// A variant's name (`PartlyPaid`) by a rule of `rename_all`.
pub(super) fn variant(name: &str, rule: Option<&str>) -> String {
    match rule {
        Some("lowercase") => name.to_ascii_lowercase(),
        Some("UPPERCASE") => name.to_ascii_uppercase(),
        Some("camelCase") => {
            let mut chars = name.chars();
            chars
                .next()
                .map(|first| first.to_ascii_lowercase().to_string() + chars.as_str())
                .unwrap_or_default()
        }
        Some("snake_case") => snake(name),
        Some("SCREAMING_SNAKE_CASE") => snake(name).to_ascii_uppercase(),
        Some("kebab-case") => snake(name).replace('_', "-"),
        Some("SCREAMING-KEBAB-CASE") => snake(name).to_ascii_uppercase().replace('_', "-"),
        _ => name.to_owned(),
    }
}

fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for (at, c) in name.char_indices() {
        if at > 0 && c.is_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// A field's name (`refund_id`) by a rule of `rename_all`.
pub(super) fn field(name: &str, rule: Option<&str>) -> String {
    let pascal = || -> String {
        name.split('_')
            .map(|word| {
                let mut chars = word.chars();
                chars
                    .next()
                    .map(|first| first.to_ascii_uppercase().to_string() + chars.as_str())
                    .unwrap_or_default()
            })
            .collect()
    };
    match rule {
        Some("UPPERCASE" | "SCREAMING_SNAKE_CASE") => name.to_ascii_uppercase(),
        Some("PascalCase") => pascal(),
        Some("camelCase") => variant(&pascal(), Some("camelCase")),
        Some("kebab-case") => name.replace('_', "-"),
        Some("SCREAMING-KEBAB-CASE") => name.to_ascii_uppercase().replace('_', "-"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_serde() {
        assert_eq!(variant("PartlyPaid", Some("kebab-case")), "partly-paid");
        assert_eq!(
            variant("PartlyPaid", Some("SCREAMING_SNAKE_CASE")),
            "PARTLY_PAID"
        );
        assert_eq!(variant("PartlyPaid", Some("camelCase")), "partlyPaid");
        assert_eq!(variant("Eur", Some("UPPERCASE")), "EUR");
        assert_eq!(variant("Eur", None), "Eur");
        assert_eq!(field("refund_id", Some("camelCase")), "refundId");
        assert_eq!(field("refund_id", Some("kebab-case")), "refund-id");
        assert_eq!(field("refund_id", Some("PascalCase")), "RefundId");
        assert_eq!(field("refund_id", Some("snake_case")), "refund_id");
    }

    #[test]
    fn serde_attributes_are_read_and_unknown_ones_passed_over() {
        let input: syn::DeriveInput = syn::parse_quote! {
            #[serde(deny_unknown_fields, bound(deserialize = "T: X"), rename_all(serialize = "UPPERCASE", deserialize = "camelCase"))]
            struct Event {
                #[serde(alias = "x", rename = "id", default = "Uuid::new_v4")]
                refund_id: Uuid,
            }
        };
        let whole = Serde::read(&input.attrs);
        assert_eq!(whole.rename_all.as_deref(), Some("camelCase"));
        let syn::Data::Struct(data) = input.data else {
            panic!("a struct");
        };
        let field = data.fields.iter().next().expect("a field");
        let serde = Serde::read(&field.attrs);
        assert_eq!(serde.rename.as_deref(), Some("id"));
        let (_, path) = serde.default.expect("a default");
        assert_eq!(path.expect("a path").value(), "Uuid::new_v4");
    }
}
