//! The short forms of fields and effects on the command line.

use std::fmt::Write;

use idem_contract::{Change, EffectKind, FieldType, Origin};

use crate::suggest::nearest;

/// `refund_id:uuid:source-id`, `currency:enum(EUR,USD)`, `reason:string:optional:personal`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FieldSpec {
    pub(super) name: String,
    pub(super) kind: FieldType,
    pub(super) values: Vec<String>,
    pub(super) origin: Option<Origin>,
    pub(super) optional: bool,
    pub(super) personal: bool,
}

impl FieldSpec {
    /// Reads the short form.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split(':').map(str::trim);
        let name = words.next().unwrap_or_default();
        if name.is_empty() || !name.chars().all(is_of_a_name) {
            return Err(format!(
                "`{name}` is no field name: letters, digits, `_`, `-` and `.`"
            ));
        }
        let kind = words
            .next()
            .ok_or("a field needs its type: write NAME:TYPE, such as refund_id:uuid:source-id")?;
        let (kind, values) = match kind.strip_suffix(')').and_then(|kind| kind.split_once('(')) {
            Some((kind, values)) => (
                kind,
                values
                    .split(',')
                    .map(|value| value.trim().to_owned())
                    .collect(),
            ),
            None => (kind, Vec::new()),
        };
        let mut field = Self {
            name: name.to_owned(),
            kind: FieldType::from_word(kind).ok_or_else(|| {
                unknown("type", kind, FieldType::ALL.iter().map(|one| one.as_str()))
            })?,
            values,
            origin: None,
            optional: false,
            personal: false,
        };
        if (field.kind == FieldType::Enum) == field.values.is_empty() {
            return Err(
                "an enum, and only an enum, lists its values: currency:enum(EUR,USD)".to_owned(),
            );
        }
        for word in words {
            match word {
                "optional" => field.optional = true,
                "personal" => field.personal = true,
                origin => {
                    field.origin = Some(Origin::from_word(origin).ok_or_else(|| {
                        unknown("origin", origin, Origin::ALL.iter().map(|one| one.as_str()))
                    })?);
                }
            }
        }
        Ok(field)
    }

    /// The line of `[payload]`.
    pub(super) fn line(&self) -> String {
        let mut line = if self.name.contains('.') || self.name == "type" {
            format!("\"{}\"", self.name)
        } else {
            self.name.clone()
        };
        // Writing to a string cannot fail.
        let _ = write!(line, " = {{ type = \"{}\"", self.kind.as_str());
        if let Some(origin) = self.origin {
            let _ = write!(line, ", origin = \"{}\"", origin.as_str());
        }
        if !self.values.is_empty() {
            let values: Vec<_> = self
                .values
                .iter()
                .map(|value| super::quoted(value))
                .collect();
            let _ = write!(line, ", values = [{}]", values.join(", "));
        }
        if self.optional {
            line.push_str(", required = false");
        }
        if self.personal {
            line.push_str(", personal = true");
        }
        line.push_str(" }");
        line
    }
}

fn is_of_a_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// `refunds:local:insert`, `provider-refund:keyed-remote:stripe`, `receipt-mail:irreversible`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EffectSpec {
    pub(super) name: String,
    pub(super) kind: EffectKind,
    pub(super) change: Option<Change>,
    pub(super) provider: Option<String>,
}

impl EffectSpec {
    /// Reads the short form.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.splitn(3, ':').map(str::trim);
        let name = words.next().unwrap_or_default();
        if name.is_empty() || !name.chars().all(is_of_a_name) {
            return Err(format!(
                "`{name}` is no effect name: letters, digits, `_`, `-` and `.`"
            ));
        }
        let kind = words
            .next()
            .ok_or("an effect needs its kind: write NAME:KIND, such as refunds:local:insert")?;
        let kind = EffectKind::from_word(kind)
            .ok_or_else(|| unknown("kind", kind, EffectKind::ALL.iter().map(|one| one.as_str())))?;
        let detail = words.next().filter(|detail| !detail.is_empty());
        let mut effect = Self {
            name: name.to_owned(),
            kind,
            change: None,
            provider: None,
        };
        match (kind, detail) {
            (EffectKind::Local, None) => {
                return Err(format!(
                    "how does `{name}` change? write {name}:local:insert, or set, or relative"
                ));
            }
            (EffectKind::Local, Some(change)) => {
                effect.change = Some(Change::from_word(change).ok_or_else(|| {
                    unknown("change", change, Change::ALL.iter().map(|one| one.as_str()))
                })?);
            }
            (EffectKind::KeyedRemote, None) => {
                return Err(format!(
                    "who is behind `{name}`? write {name}:keyed-remote:stripe"
                ));
            }
            (EffectKind::KeyedRemote | EffectKind::Remote | EffectKind::Irreversible, detail) => {
                effect.provider = detail.map(str::to_owned);
            }
        }
        Ok(effect)
    }
}

fn unknown<'a>(what: &str, word: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(word, known.clone()) {
        Some(near) => format!("there is no {what} `{word}`: did you mean `{near}`?"),
        None => {
            let known: Vec<_> = known.collect();
            format!(
                "there is no {what} `{word}`; there are {}",
                known.join(", ")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{EffectSpec, FieldSpec};

    fn line(text: &str) -> Result<String, String> {
        FieldSpec::parse(text).map(|field| field.line())
    }

    #[test]
    fn a_field_is_written_as_the_contract_writes_it() {
        assert_eq!(
            line("refund_id:uuid:source-id").as_deref(),
            Ok("refund_id = { type = \"uuid\", origin = \"source-id\" }")
        );
        assert_eq!(
            line("customer.name:string:optional:personal").as_deref(),
            Ok("\"customer.name\" = { type = \"string\", required = false, personal = true }")
        );
        assert_eq!(
            line("currency:enum(EUR, USD)").as_deref(),
            Ok("currency = { type = \"enum\", values = [\"EUR\", \"USD\"] }")
        );
    }

    #[test]
    fn a_slip_in_a_short_form_is_answered_with_what_was_meant() {
        assert_eq!(
            line("refund_id:uuid:sorce-id"),
            Err("there is no origin `sorce-id`: did you mean `source-id`?".to_owned())
        );
        assert!(line("currency:enum").is_err_and(|error| error.contains("currency:enum(EUR,USD)")));
        assert!(
            EffectSpec::parse("refunds:local")
                .is_err_and(|error| error.contains("refunds:local:insert"))
        );
    }
}
