//! The events of a drill: one, and others that differ from it in one place.

use serde_json::{Map, Value};

use super::subject::Trouble;

/// Synthetic events of one workflow.
#[derive(Clone, Debug)]
pub struct Events {
    event: Value,
    other_body: Option<(String, Value)>,
    must_differ: Vec<(String, Value)>,
}

impl Events {
    /// Starts from one event, as JSON text.
    ///
    /// **Errors**: the text is not a JSON object.
    pub fn of(event: &str) -> Result<Self, Trouble> {
        let event: Value = serde_json::from_str(event)?;
        if !event.is_object() {
            return Err("an event is a JSON object".into());
        }
        Ok(Self {
            event,
            other_body: None,
            must_differ: Vec::new(),
        })
    }

    /// The same operation asked for with another value in a hashed field: a mistake that must be
    /// told apart from a retry. Dotted names reach into objects.
    ///
    /// **Errors**: the value is not JSON, or the field is not in the event.
    pub fn other_body(mut self, field: &str, value: &str) -> Result<Self, Trouble> {
        let value = serde_json::from_str(value)?;
        self.other_body = Some((field.to_owned(), self.changed(field, value)?));
        Ok(self)
    }

    /// Another operation: equal to the event but for one field of the key.
    ///
    /// **Errors**: the value is not JSON, or the field is not in the event.
    pub fn must_differ(mut self, field: &str, value: &str) -> Result<Self, Trouble> {
        let value = serde_json::from_str(value)?;
        let event = self.changed(field, value)?;
        self.must_differ.push((field.to_owned(), event));
        Ok(self)
    }

    /// The event's bytes.
    #[must_use]
    pub fn event(&self) -> Vec<u8> {
        self.event.to_string().into_bytes()
    }

    /// The same event with its members in another order, and other white space.
    #[must_use]
    pub fn reordered(&self) -> Vec<u8> {
        let mut out = String::new();
        write_reversed(&mut out, &self.event);
        out.into_bytes()
    }

    /// The field in which the request differs under the same key, and that event.
    pub(super) fn other(&self) -> Option<(&str, Vec<u8>)> {
        let (field, event) = self.other_body.as_ref()?;
        Some((field, event.to_string().into_bytes()))
    }

    /// The fields in which an operation differs, each with its event.
    pub(super) fn others(&self) -> impl Iterator<Item = (&str, Vec<u8>)> {
        self.must_differ
            .iter()
            .map(|(field, event)| (field.as_str(), event.to_string().into_bytes()))
    }

    fn changed(&self, field: &str, value: Value) -> Result<Value, Trouble> {
        let mut event = self.event.clone();
        let place =
            place(&mut event, field).ok_or_else(|| format!("the event has no field `{field}`"))?;
        if *place == value {
            return Err(format!("field `{field}` has that value already").into());
        }
        *place = value;
        Ok(event)
    }
}

/// The member of that dotted name.
fn place<'v>(event: &'v mut Value, field: &str) -> Option<&'v mut Value> {
    field
        .split('.')
        .try_fold(event, |value, name| value.as_object_mut()?.get_mut(name))
}

fn write_reversed(out: &mut String, value: &Value) {
    match value {
        Value::Object(members) => write_members(out, members),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { " " } else { " , " });
                write_reversed(out, item);
            }
            out.push_str(" ]");
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            out.push_str(&value.to_string());
        }
    }
}

fn write_members(out: &mut String, members: &Map<String, Value>) {
    out.push('{');
    for (at, (name, value)) in members.iter().rev().enumerate() {
        out.push_str(if at == 0 { "\n " } else { ",\n " });
        out.push_str(&Value::from(name.as_str()).to_string());
        out.push_str(" : ");
        write_reversed(out, value);
    }
    out.push_str("\n}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reordered_event_is_other_text_with_the_same_members() -> Result<(), Trouble> {
        let events = Events::of(r#"{"a": 1, "b": {"c": [1, {"d": 2, "e": 3}], "f": "\"x"}}"#)?;
        let reordered = events.reordered();
        assert_ne!(reordered, events.event());
        let read = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes);
        assert_eq!(read(&reordered)?, read(&events.event())?);
        let text = String::from_utf8(reordered)?;
        assert!(text.find("\"b\"") < text.find("\"a\""), "{text}");
        Ok(())
    }

    #[test]
    fn dotted_names_reach_into_objects() -> Result<(), Trouble> {
        let events =
            Events::of(r#"{"customer": {"id": "c_1"}}"#)?.must_differ("customer.id", r#""c_2""#)?;
        let others: Vec<_> = events.others().collect();
        assert_eq!(
            others,
            [("customer.id", br#"{"customer":{"id":"c_2"}}"#.to_vec())]
        );
        Ok(())
    }

    #[test]
    fn an_event_that_does_not_differ_is_a_mistake_of_the_drill() {
        let said = |made: Result<Events, Trouble>| made.err().map(|error| error.to_string());
        let event = || Events::of(r#"{"a": 1}"#);
        assert_eq!(
            said(event().and_then(|events| events.other_body("a", "1"))).as_deref(),
            Some("field `a` has that value already")
        );
        assert_eq!(
            said(event().and_then(|events| events.must_differ("b", "1"))).as_deref(),
            Some("the event has no field `b`")
        );
        assert_eq!(
            said(Events::of("[]")).as_deref(),
            Some("an event is a JSON object")
        );
    }
}
