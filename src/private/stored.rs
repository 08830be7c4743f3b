//! A final failure as stored bytes: `{"variant": "Declined", "fields": ["card", 3]}`.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What a stored failure is.
pub type Bytes = Vec<u8>;

/// What can be a field of a final failure, which is replayed to every retry.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is a field of a final failure and cannot be stored",
    label = "not `Serialize` and `DeserializeOwned`",
    note = "a final failure is the operation's answer, and every retry gets the same one",
    note = "write `#[derive(serde::Serialize, serde::Deserialize)]` on `{Self}`, or keep its text in the variant instead"
)]
pub trait Storable: Serialize + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned> Storable for T {}

/// How one field of a final failure is written and read.
pub struct FieldCodec<T> {
    write: fn(&T) -> Option<serde_json::Value>,
    read: fn(serde_json::Value) -> Option<T>,
}

/// Asks a field's type whether it can be stored.
#[must_use]
pub const fn storable<T: Storable>() -> FieldCodec<T> {
    FieldCodec {
        write: |value| serde_json::to_value(value).ok(),
        read: |value| serde_json::from_value(value).ok(),
    }
}

/// What can be the store's own error inside a failure.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no error, so no store can tell what went wrong from it",
    label = "does not implement `Error`",
    note = "a transparent failure is the store's own error: the store looks at it to run a transaction again that lost against another",
    note = "write the store's error type, such as `sqlx::Error`, or another class than `transparent`"
)]
pub trait Source: std::error::Error + 'static {}

#[diagnostic::do_not_recommend]
impl<T: std::error::Error + 'static> Source for T {}

/// The store's own error.
pub fn source<T: Source>(error: &T) -> Option<&(dyn std::error::Error + 'static)> {
    Some(error)
}

/// A final failure being written, field by field.
#[derive(Serialize)]
pub struct FailureToStore {
    variant: &'static str,
    fields: Vec<serde_json::Value>,
    #[serde(skip)]
    lost: bool,
}

impl FailureToStore {
    /// Starts with the variant's name.
    #[must_use]
    pub fn new(variant: &'static str) -> Self {
        Self {
            variant,
            fields: Vec::new(),
            lost: false,
        }
    }

    /// Adds the next field.
    #[must_use]
    pub fn field<T>(mut self, codec: FieldCodec<T>, value: &T) -> Self {
        match (codec.write)(value) {
            Some(value) => self.fields.push(value),
            None => self.lost = true,
        }
        self
    }

    /// The bytes; `None` when a field does not encode as JSON.
    #[must_use]
    pub fn finish(self) -> Option<Bytes> {
        if self.lost {
            return None;
        }
        serde_json::to_vec(&self).ok()
    }
}

/// A final failure being read back.
#[derive(Deserialize)]
pub struct StoredFailure {
    variant: String,
    fields: std::collections::VecDeque<serde_json::Value>,
}

impl StoredFailure {
    /// `None` when the bytes are no stored failure.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// Whether it is that variant, with that many fields.
    #[must_use]
    pub fn is(&self, variant: &str, fields: usize) -> bool {
        self.variant == variant && self.fields.len() == fields
    }

    /// The next field; `None` when it is of another shape.
    pub fn field<T>(&mut self, codec: FieldCodec<T>) -> Option<T> {
        (codec.read)(self.fields.pop_front()?)
    }
}
