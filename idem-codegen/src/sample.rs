//! Synthetic events of a workflow, from its payload declaration: one, and others that differ from it
//! in one field.

use std::fmt::Write as _;

use idem_contract::{Contract, Field, FieldType, HashSpec};

/// Synthetic events, as JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// One event, over several lines.
    pub event: String,
    /// A hashed field with another value for it: the same operation, asked for differently. `None`
    /// where the request hash covers nothing that can take another value.
    pub other_body: Option<Varied>,
    /// Every field of the key that can take another value, with one: other operations.
    pub must_differ: Vec<Varied>,
}

/// A field and another value for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Varied {
    /// The dotted name.
    pub field: String,
    /// The value, as JSON text.
    pub value: String,
}

impl Sample {
    /// The events of that contract.
    #[must_use]
    pub fn of(contract: &Contract) -> Self {
        let mut root = Node::default();
        for field in &contract.payload {
            root.insert(&field.name.value, value(field, 1).unwrap_or_default());
        }
        let mut event = String::new();
        root.write(&mut event, 0);
        let key = contract.key.fields.get().map_or(&[][..], Vec::as_slice);
        let vary = |name: &str| {
            let field = contract.field(name)?;
            Some(Varied {
                field: name.to_owned(),
                value: value(field, 2)?,
            })
        };
        Self {
            event,
            other_body: hashed_fields(contract)
                .into_iter()
                .find_map(|field| vary(&field.name.value)),
            must_differ: key.iter().filter_map(|name| vary(&name.value)).collect(),
        }
    }
}

/// The fields that the request hash covers, in the contract's order.
#[must_use]
pub fn hashed_fields(contract: &Contract) -> Vec<&Field> {
    let names = |list: &[idem_contract::Spanned<String>], name: &str| {
        list.iter().any(|one| one.value == name)
    };
    match contract.request.hash.get() {
        None | Some(HashSpec::None) => Vec::new(),
        Some(HashSpec::Fields(fields)) => fields
            .iter()
            .filter_map(|name| contract.field(&name.value))
            .collect(),
        Some(HashSpec::All) => {
            let key = contract.key.fields.get().map_or(&[][..], Vec::as_slice);
            let ignore = contract.request.ignore.get().map_or(&[][..], Vec::as_slice);
            contract
                .payload
                .iter()
                .filter(|field| !names(key, &field.name.value) && !names(ignore, &field.name.value))
                .collect()
        }
    }
}

/// The first or second sample value of a field; `None` for a second value that there is not.
fn value(field: &Field, which: u8) -> Option<String> {
    let kind = field.kind.or(FieldType::String);
    let name = field.name.value.rsplit('.').next().unwrap_or("value");
    let pair = |first: &str, second: &str| if which == 1 { first } else { second }.to_owned();
    Some(match kind {
        FieldType::String => quoted(&format!("{name}_{which}")),
        FieldType::Integer => pair("1250", "1300"),
        FieldType::Boolean => pair("true", "false"),
        FieldType::Uuid => quoted(&format!("018f2a44-6f1d-7c3e-9a5b-00000000000{which}")),
        FieldType::Decimal => quoted(&pair("12.50", "13.00")),
        FieldType::Float => pair("1.5", "2.5"),
        FieldType::Date => quoted(&format!("2026-03-0{which}")),
        FieldType::Timestamp => quoted(&format!("2026-03-0{which}T09:30:00Z")),
        FieldType::Enum => {
            let values = field.values.get()?;
            quoted(&values.get(usize::from(which) - 1)?.value)
        }
        FieldType::Bytes => quoted(&pair("q83v", "EjRW")),
        FieldType::Object => format!("{{ \"a\": {which} }}"),
        FieldType::Array => format!("[{which}]"),
    })
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => {
                // Writing to a String cannot fail. Control characters are in the first plane.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Members of an object in the order in which they were declared.
#[derive(Debug, Default)]
struct Node {
    members: Vec<(String, Member)>,
}

#[derive(Debug)]
enum Member {
    Value(String),
    Object(Node),
}

impl Node {
    fn insert(&mut self, name: &str, value: String) {
        let Some((first, rest)) = name.split_once('.') else {
            // A field and an object of one name cannot both be sent; the first one declared is.
            if !self.members.iter().any(|(known, _)| known == name) {
                self.members.push((name.to_owned(), Member::Value(value)));
            }
            return;
        };
        if !self.members.iter().any(|(known, _)| known == first) {
            self.members
                .push((first.to_owned(), Member::Object(Self::default())));
        }
        for (known, member) in &mut self.members {
            if let Member::Object(node) = member
                && known == first
            {
                node.insert(rest, value);
                return;
            }
        }
    }

    fn write(&self, out: &mut String, depth: usize) {
        let indent = "  ".repeat(depth);
        out.push('{');
        for (at, (name, member)) in self.members.iter().enumerate() {
            out.push_str(if at == 0 { "\n" } else { ",\n" });
            // Writing to a String cannot fail.
            let _ = write!(out, "{indent}  {}: ", quoted(name));
            match member {
                Member::Value(value) => out.push_str(value),
                Member::Object(node) => node.write(out, depth + 1),
            }
        }
        let _ = write!(out, "\n{indent}}}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(text: &str) -> Sample {
        Sample::of(&idem_contract::parse(text.as_bytes()).contract)
    }

    #[test]
    fn an_event_holds_every_declared_field_in_its_place() {
        let sample = sample(
            r#"
            [payload]
            "customer.id" = { type = "uuid" }
            amount = { type = "decimal" }
            customer.kind = { type = "enum", values = ["a \"b\"", "c"] }
            tags = { type = "array" }
            [key]
            fields = ["customer.id", "customer.kind"]
            [request]
            hash = "all"
            ignore = ["tags"]
            "#,
        );
        let expected = r#"{
  "customer": {
    "id": "018f2a44-6f1d-7c3e-9a5b-000000000001",
    "kind": "a \"b\""
  },
  "amount": "12.50",
  "tags": [1]
}"#;
        assert_eq!(sample.event, expected);
        let names: Vec<_> = sample
            .must_differ
            .iter()
            .map(|varied| varied.field.as_str())
            .collect();
        assert_eq!(names, ["customer.id", "customer.kind"]);
        assert_eq!(
            sample.other_body.map(|varied| varied.field).as_deref(),
            Some("amount")
        );
    }

    #[test]
    fn a_field_with_one_value_cannot_differ() {
        let sample = sample(
            r#"
            [payload]
            kind = { type = "enum", values = ["only"] }
            [key]
            fields = ["kind"]
            [request]
            hash = ["kind"]
            "#,
        );
        assert_eq!((sample.other_body, sample.must_differ), (None, Vec::new()));
    }
}
