//! `[payload]`: declarations under dotted names, however they are nested, as one flat list.

use std::borrow::Cow;

use super::decoder::{At, Decoder, Misplaced};
use super::keys::{FieldKey, Keys, RootKey};
use super::near::nearest;
use super::tree::{Defined, Entry, ROOT, Table, TableId, Value};
use crate::{Contract, DefaultValue, Field, FieldType, Fix, Setting, Span, Spanned, rules};

/// How many levels of objects a field's name may reach through.
const MAX_LEVELS: usize = 32;

impl<'t, 's> Decoder<'t, 's> {
    pub(super) fn payload(&mut self, entry: &'t Entry<'s>, contract: &mut Contract) {
        let Some(id) = self.one_table(entry, "payload") else {
            contract.complete = false;
            return;
        };
        if self.table(id).defined != Defined::Implicit {
            contract.payload_header = Some(self.header(id));
        }
        self.namespace(id, "", 0, &mut contract.payload);
        // A table holds its entries in the order in which their first part was written; nested
        // ones may have come later.
        contract.payload.sort_by_key(|field| field.name.span);
        self.no_field_twice(&contract.payload);
    }

    fn namespace(&mut self, id: TableId, prefix: &str, level: usize, fields: &mut Vec<Field>) {
        let table = self.table(id);
        fields.reserve(table.entries.len());
        for entry in &table.entries {
            let name = if prefix.is_empty() {
                entry.key.to_string()
            } else {
                format!("{prefix}.{}", entry.key)
            };
            if self.is_stray_root_setting(entry, prefix) {
                continue;
            }
            match &entry.node.value {
                Value::Table(inner) if !self.is_declaration(self.table(*inner)) => {
                    if level >= MAX_LEVELS {
                        self.invalid(
                            entry.key_span,
                            format!("payload.{name}"),
                            "a field nested too deep",
                            "names this long are not read",
                            format!("write at most {MAX_LEVELS} levels"),
                        );
                    } else {
                        self.namespace(*inner, &name, level + 1, fields);
                    }
                }
                Value::Table(inner) => {
                    if level > 0 && entry.key == "type" {
                        self.unquoted_type(entry, &name);
                    }
                    let field = self.field(entry, *inner, name);
                    fields.push(field);
                }
                Value::Broken => fields.push(unreadable(entry, name)),
                Value::String(text) => {
                    let kind = FieldType::from_word(text);
                    let word = kind.map_or("…", FieldType::as_str);
                    let help = format!("write `{} = {{ type = \"{word}\" }}`", entry.key);
                    self.wrong_type(
                        &entry.node,
                        format!("payload.{name}"),
                        "a declaration",
                        help,
                    )
                    .fix = kind.map(|kind| {
                        let text = format!("{{ type = \"{}\" }}", kind.as_str());
                        Fix::replace(entry.node.span, text)
                    });
                    fields.push(unreadable(entry, name));
                }
                Value::Integer(_)
                | Value::Float
                | Value::Boolean(_)
                | Value::Date(_)
                | Value::DateTime
                | Value::Array(_)
                | Value::Tables(_) => {
                    let help = format!("write `{} = {{ type = \"…\" }}`", entry.key);
                    self.wrong_type(
                        &entry.node,
                        format!("payload.{name}"),
                        "a declaration",
                        help,
                    );
                    fields.push(unreadable(entry, name));
                }
            }
        }
        if let Some(span) = table.junk {
            self.misplaced.push(Misplaced {
                table: "payload",
                name: None,
                span,
            });
        }
    }

    /// `owner = "me"` below `[payload]`: a setting of the contract that was written too late.
    fn is_stray_root_setting(&mut self, entry: &Entry<'_>, prefix: &str) -> bool {
        let is_scalar = matches!(
            entry.node.value,
            Value::String(_) | Value::Integer(_) | Value::Boolean(_)
        );
        let known = RootKey::WORDS.iter().find(|word| **word == entry.key);
        let Some(name) = known.filter(|_| prefix.is_empty() && is_scalar) else {
            return false;
        };
        if self.table(ROOT).position(name).is_some() {
            return false;
        }
        self.report(
            &rules::UNKNOWN_FIELD,
            entry.key_span,
            format!("payload.{name}"),
            format!("`{name}` is not a field's declaration"),
            "below `[payload]` every line declares a field",
            format!("write `{name}` at the top of the file, before the first `[table]`"),
        );
        self.misplaced.push(Misplaced {
            table: "",
            name: Some(name),
            span: entry.key_span,
        });
        true
    }

    fn unquoted_type(&mut self, entry: &Entry<'_>, name: &str) {
        self.report(
            &rules::WRONG_TYPE,
            entry.key_span,
            format!("payload.{name}"),
            "a member called `type` looks like a declaration",
            "`type` says what a field is; only quotes tell that a member is called so",
            format!("write `\"{name}\" = {{ … }}` in `[payload]`"),
        );
    }

    /// Whether a table declares a field. Otherwise it is a level of dotted names: its entries are
    /// tables, or it has nothing that a declaration has.
    fn is_declaration(&self, table: &Table<'s>) -> bool {
        let mut plain = (table.entries.iter())
            .filter(|entry| !matches!(entry.node.value, Value::Table(_)))
            .peekable();
        if plain.peek().is_none() {
            return table.entries.is_empty();
        }
        table.defined == Defined::Inline
            || plain.any(|entry| nearest(&entry.key, FieldKey::WORDS.iter().copied()).is_some())
    }

    fn field(&mut self, entry: &'t Entry<'s>, id: TableId, name: String) -> Field {
        let at = At {
            table: "payload",
            item: Some(&name),
        };
        if name.trim().is_empty() {
            self.invalid(
                entry.key_span,
                "payload".to_owned(),
                "a field without a name",
                "nothing can refer to it",
                "write the field's name",
            );
        }
        let mut field = unreadable(entry, String::new());
        field.kind = Setting::Absent;
        field.origin = Setting::Absent;
        field.required = Setting::Absent;
        field.personal = Setting::Absent;
        field.values = Setting::Absent;
        field.default = Setting::Absent;
        let misplaced = self.misplaced.len();
        self.each(id, at, |this, key, entry| match key {
            FieldKey::Type => field.kind = this.word(at, entry),
            FieldKey::Origin => field.origin = this.word(at, entry),
            FieldKey::Required => field.required = this.boolean(at, entry),
            FieldKey::Personal => field.personal = this.boolean(at, entry),
            FieldKey::Values => {
                let help = "name the values that the source sends";
                field.values = this.distinct(at, entry, help);
            }
            FieldKey::Default => field.default = this.default_value(at, entry),
        });
        let doubtful = self.misplaced.len() > misplaced;
        self.misplaced.truncate(misplaced);
        if field.kind.is_absent() && !doubtful {
            self.report(
                &rules::MISSING_FIELD,
                entry.key_span,
                at.path("type"),
                format!("`{name}` has no type"),
                "a value is compared and stored by its type",
                "write `type = \"string\"`, or another of the types",
            );
        }
        self.check_values(at, entry.key_span, &field, doubtful);
        self.check_default(at, &field);
        field.name.value = name;
        field
    }

    fn default_value(&mut self, at: At<'_>, entry: &Entry<'_>) -> Setting<DefaultValue> {
        let node = &entry.node;
        let text: Cow<'_, str> = match &node.value {
            Value::String(text) => Cow::Borrowed(text),
            Value::Integer(Some(number)) => Cow::Owned(number.to_string()),
            Value::Integer(None) | Value::Float | Value::Date(_) | Value::DateTime => {
                Cow::Borrowed(
                    self.source
                        .get(node.span.start..node.span.end)
                        .unwrap_or_default(),
                )
            }
            Value::Boolean(value) => Cow::Borrowed(if *value { "true" } else { "false" }),
            Value::Broken => return Setting::Unreadable(node.span),
            Value::Array(_) | Value::Tables(_) | Value::Table(_) => {
                let help = "write a text, a number, true, false or a date";
                self.wrong_type(node, at.path(&entry.key), "one value", help);
                return Setting::Unreadable(node.span);
            }
        };
        let generator = generator(&text).map(str::to_owned);
        let text = text.into_owned();
        Setting::Given(Spanned::new(DefaultValue { text, generator }, node.span))
    }

    fn check_values(&mut self, at: At<'_>, name: Span, field: &Field, doubtful: bool) {
        let is_enum = field.kind.get() == Some(&FieldType::Enum);
        match &field.values {
            Setting::Absent if is_enum && !doubtful => {
                self.report(
                    &rules::MISSING_FIELD,
                    name,
                    at.path("values"),
                    "an enum without its values",
                    "which values are equal can only be told from the list of them",
                    "write `values = [\"…\", \"…\"]`",
                );
            }
            Setting::Given(given) if !is_enum && field.kind.get().is_some() => {
                self.invalid(
                    given.span,
                    at.path("values"),
                    "only an enum has values",
                    "the list would not be checked",
                    "write `type = \"enum\"`, or take `values` out",
                );
            }
            Setting::Absent | Setting::Unreadable(_) | Setting::Given(_) => {}
        }
    }

    fn check_default(&mut self, at: At<'_>, field: &Field) {
        let (Some(default), Some(&kind)) = (field.default.given(), field.kind.get()) else {
            return;
        };
        // A generator is judged by the key rules; its text has no type.
        if default.value.generator.is_some() {
            return;
        }
        let text = &default.value.text;
        let quoted = (self.source.get(default.span.start..default.span.end))
            .is_some_and(|written| written.starts_with(['"', '\'']));
        let fits = match kind {
            FieldType::Boolean => !quoted && matches!(&**text, "true" | "false"),
            FieldType::Integer => !quoted && text.parse::<i64>().is_ok(),
            FieldType::Float => !quoted && text.parse::<f64>().is_ok(),
            FieldType::Decimal => text.parse::<f64>().is_ok(),
            FieldType::String | FieldType::Uuid | FieldType::Bytes | FieldType::Enum => quoted,
            FieldType::Date | FieldType::Timestamp => true,
            FieldType::Object | FieldType::Array => false,
        };
        if !fits {
            self.report(
                &rules::WRONG_TYPE,
                default.span,
                at.path("default"),
                format!("this is no value of type `{}`", kind.as_str()),
                "a stand-in of another type never equals a real value",
                "write a default of the field's own type, or take it out",
            );
            return;
        }
        if let (FieldType::Enum, Some(values)) = (kind, field.values.get())
            && !values.iter().any(|value| value.value == *text)
        {
            self.invalid(
                default.span,
                at.path("default"),
                format!("`{text}` is not one of the enum's values"),
                "a stand-in that the source never sends is no value of the field",
                "write one of `values`",
            );
        }
    }

    fn no_field_twice(&mut self, fields: &[Field]) {
        let mut sorted: Vec<&Field> = fields.iter().collect();
        sorted.sort_by(|a, b| (&a.name.value, a.name.span).cmp(&(&b.name.value, b.name.span)));
        for pair in sorted.windows(2) {
            if pair[0].name.value == pair[1].name.value {
                let name = &pair[1].name;
                self.invalid(
                    name.span,
                    format!("payload.{}", name.value),
                    format!("`{}` is declared twice", name.value),
                    "quoted and nested names are one flat list, and only one of the two is read",
                    "keep one of them",
                )
                .also(pair[0].name.span, "first declared here");
            }
        }
    }
}

/// A field of which nothing but the name is known.
fn unreadable(entry: &Entry<'_>, name: String) -> Field {
    let span = entry.node.span;
    Field {
        name: Spanned::new(name, entry.key_span),
        span,
        kind: Setting::Unreadable(span),
        origin: Setting::Unreadable(span),
        required: Setting::Unreadable(span),
        personal: Setting::Unreadable(span),
        values: Setting::Unreadable(span),
        default: Setting::Unreadable(span),
    }
}

/// `uuid` of `uuid()`, `Uuid::new_v4` of `Uuid::new_v4()`.
fn generator(text: &str) -> Option<&str> {
    let (name, arguments) = text.split_once('(')?;
    let is_path = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && (name.bytes()).all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'.'));
    (is_path && arguments.ends_with(')')).then_some(name)
}
