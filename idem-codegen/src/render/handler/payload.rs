//! The payload as Rust types and as columns.

use std::fmt::Write as _;

use idem_contract::{Contract, Field, FieldType};

use crate::render::text::{doc, field, literal, pascal, snake, sql_name};

/// Everything the payload becomes.
pub(super) struct Payload {
    root: Struct,
    enums: Vec<Enum>,
    defaults: Vec<Default>,
    pub(super) columns: Vec<Column>,
}

/// A column of a table that holds the event.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) sql_type: &'static str,
    pub(super) optional: bool,
    /// What is bound to its parameter.
    pub(super) bound: String,
}

#[derive(Default)]
struct Struct {
    name: String,
    members: Vec<(String, Member)>,
}

enum Member {
    Value(Value),
    Struct(Struct),
}

struct Value {
    rust_type: String,
    doc: String,
    default: Option<String>,
}

struct Enum {
    name: String,
    field: String,
    values: Vec<String>,
    is_key: bool,
}

struct Default {
    function: String,
    rust_type: String,
    value: String,
    doc: String,
}

/// `customer.r#type`, of `customer.type`: the path behind the event.
pub(super) fn path(name: &str) -> String {
    let segments: Vec<String> = name.split('.').map(|segment| field(segment).0).collect();
    segments.join(".")
}

impl Payload {
    pub(super) fn of(contract: &Contract) -> Self {
        let event = pascal(contract.workflow.get().map_or("workflow", String::as_str));
        let key = contract.key.fields.get().map_or(&[][..], Vec::as_slice);
        let mut payload = Self {
            root: Struct {
                name: event.clone(),
                members: Vec::new(),
            },
            enums: Vec::new(),
            defaults: Vec::new(),
            columns: Vec::new(),
        };
        for declared in &contract.payload {
            let is_key = key.iter().any(|name| name.value == declared.name.value);
            let value = payload.value(&event, declared, is_key);
            let name = declared.name.value.clone();
            payload.root.insert(&name, value);
        }
        payload
    }

    fn value(&mut self, event: &str, declared: &Field, is_key: bool) -> Value {
        let name = &declared.name.value;
        let kind = declared.kind.or(FieldType::String);
        let own = format!("{event}{}", pascal(name));
        let plain = match kind {
            FieldType::Enum => {
                let values = declared.values.get().map_or(&[][..], Vec::as_slice);
                self.enums.push(Enum {
                    name: own.clone(),
                    field: name.clone(),
                    values: values.iter().map(|value| value.value.clone()).collect(),
                    is_key,
                });
                own
            }
            FieldType::Integer => "i64".to_owned(),
            FieldType::Boolean => "bool".to_owned(),
            FieldType::Float => "f64".to_owned(),
            FieldType::Object | FieldType::Array => "serde_json::Value".to_owned(),
            FieldType::String
            | FieldType::Uuid
            | FieldType::Decimal
            | FieldType::Date
            | FieldType::Timestamp
            | FieldType::Bytes => "String".to_owned(),
        };
        let stand_in = declared
            .default
            .get()
            .filter(|default| default.generator.is_none());
        let default = stand_in.and_then(|default| default_value(kind, &plain, &default.text));
        let optional =
            default.is_none() && (!declared.required.or(true) || declared.default.get().is_some());
        self.columns.push(Column {
            name: sql_name(name),
            sql_type: sql_type(kind),
            optional,
            bound: bound(kind, &plain, &path(name), optional),
        });
        let default = default.map(|value| {
            let function = format!("{}_by_default", snake(name));
            self.defaults.push(Default {
                function: function.clone(),
                rust_type: plain.clone(),
                value,
                doc: format!("What the contract lets stand in for a missing `{name}`."),
            });
            function
        });
        Value {
            rust_type: if optional {
                format!("Option<{plain}>")
            } else {
                plain
            },
            doc: said(declared, kind),
            default,
        }
    }

    pub(super) fn write(&self, out: &mut String, workflow: &str, event: &str) {
        out.push_str("\n/// The event, as the contract's payload declares it.\n");
        out.push_str("#[derive(Clone, Debug, Deserialize, idem::Event)]\n");
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(out, "#[event(contract = {})]", literal(workflow));
        self.root.write(out, event);
        for one in &self.enums {
            one.write(out);
        }
        for default in &self.defaults {
            let Default {
                function,
                rust_type,
                value,
                doc: text,
            } = default;
            out.push('\n');
            doc(out, "", "///", text);
            let _ = write!(out, "fn {function}() -> {rust_type} {{\n    {value}\n}}\n");
        }
    }
}

/// `` `string`, `source-id` ``.
fn said(declared: &Field, kind: FieldType) -> String {
    let mut text = format!("`{}`", kind.as_str());
    if let Some(origin) = declared.origin.get() {
        let _ = write!(text, ", `{}`", origin.as_str());
    }
    if declared.personal.or(false) {
        text.push_str(", personal");
    }
    text.push('.');
    text
}

fn default_value(kind: FieldType, rust_type: &str, text: &str) -> Option<String> {
    match kind {
        FieldType::Enum => Some(format!("{rust_type}::{}", pascal(text))),
        FieldType::Integer => text.parse::<i64>().ok().map(|value| value.to_string()),
        FieldType::Boolean => text.parse::<bool>().ok().map(|value| value.to_string()),
        FieldType::String
        | FieldType::Uuid
        | FieldType::Decimal
        | FieldType::Date
        | FieldType::Timestamp
        | FieldType::Bytes => Some(format!("{}.to_owned()", literal(text))),
        FieldType::Float | FieldType::Object | FieldType::Array => None,
    }
}

const fn sql_type(kind: FieldType) -> &'static str {
    match kind {
        FieldType::Integer => "bigint",
        FieldType::Boolean => "boolean",
        FieldType::Float => "double precision",
        FieldType::String
        | FieldType::Uuid
        | FieldType::Decimal
        | FieldType::Date
        | FieldType::Timestamp
        | FieldType::Enum
        | FieldType::Bytes
        | FieldType::Object
        | FieldType::Array => "text",
    }
}

fn bound(kind: FieldType, rust_type: &str, path: &str, optional: bool) -> String {
    match (kind, optional) {
        (FieldType::Integer | FieldType::Boolean | FieldType::Float, _) => format!("event.{path}"),
        (FieldType::Enum, false) => format!("event.{path}.as_str()"),
        (FieldType::Enum, true) => format!("event.{path}.map({rust_type}::as_str)"),
        (FieldType::Object | FieldType::Array, false) => format!("event.{path}.to_string()"),
        (FieldType::Object | FieldType::Array, true) => {
            format!("event.{path}.as_ref().map(ToString::to_string)")
        }
        (
            FieldType::String
            | FieldType::Uuid
            | FieldType::Decimal
            | FieldType::Date
            | FieldType::Timestamp
            | FieldType::Bytes,
            _,
        ) => format!("&event.{path}"),
    }
}

impl Struct {
    fn insert(&mut self, name: &str, value: Value) {
        let Some((first, rest)) = name.split_once('.') else {
            self.members.push((name.to_owned(), Member::Value(value)));
            return;
        };
        let known = self.members.iter().position(|(known, _)| known == first);
        let at = known.unwrap_or_else(|| {
            let name = format!("{}{}", self.name, pascal(first));
            self.members.push((
                first.to_owned(),
                Member::Struct(Self {
                    name,
                    members: Vec::new(),
                }),
            ));
            self.members.len() - 1
        });
        if let Some((_, Member::Struct(inner))) = self.members.get_mut(at) {
            inner.insert(rest, value);
        }
    }

    fn write(&self, out: &mut String, name: &str) {
        let _ = writeln!(out, "pub struct {name} {{");
        for (member, what) in &self.members {
            let (rust_name, renamed) = field(member);
            let (rust_type, text, default) = match what {
                Member::Value(value) => {
                    (&value.rust_type, value.doc.clone(), value.default.as_ref())
                }
                Member::Struct(inner) => (&inner.name, format!("The members of `{member}`."), None),
            };
            doc(out, "    ", "///", &text);
            let mut serde = Vec::new();
            if renamed {
                serde.push(format!("rename = {}", literal(member)));
            }
            if let Some(function) = default {
                serde.push(format!("default = {}", literal(function)));
            }
            if !serde.is_empty() {
                let _ = writeln!(out, "    #[serde({})]", serde.join(", "));
            }
            let _ = writeln!(out, "    pub {rust_name}: {rust_type},");
        }
        out.push_str("}\n");
        for (member, what) in &self.members {
            if let Member::Struct(inner) = what {
                out.push('\n');
                doc(out, "", "///", &format!("The members of `{member}`."));
                out.push_str("#[derive(Clone, Debug, Deserialize)]\n");
                inner.write(out, &inner.name);
            }
        }
    }
}

impl Enum {
    fn write(&self, out: &mut String) {
        let Self { name, field, .. } = self;
        let key_part = if self.is_key { ", idem::KeyPart" } else { "" };
        out.push('\n');
        doc(out, "", "///", &format!("The values of `{field}`."));
        let derives = "Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize";
        let _ = writeln!(out, "#[derive({derives}{key_part})]\npub enum {name} {{");
        for value in &self.values {
            doc(out, "    ", "///", &format!("`{value}`."));
            let _ = writeln!(
                out,
                "    #[serde(rename = {})]\n    {},",
                literal(value),
                pascal(value)
            );
        }
        let _ = write!(
            out,
            "}}\n\nimpl {name} {{\n    /// The value, as the contract writes it.\n    #[must_use]\n    pub const fn as_str(self) -> &'static str {{\n        match self {{\n"
        );
        for value in &self.values {
            let _ = writeln!(
                out,
                "            Self::{} => {},",
                pascal(value),
                literal(value)
            );
        }
        out.push_str("        }\n    }\n}\n");
    }
}
