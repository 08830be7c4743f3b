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
    pub fn field<T: Storable>(mut self, value: &T) -> Self {
        match serde_json::to_value(value) {
            Ok(value) => self.fields.push(value),
            Err(_) => self.lost = true,
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

    /// Whether it is that variant.
    #[must_use]
    pub fn is(&self, variant: &str) -> bool {
        self.variant == variant
    }

    /// The next field; `None` when there is none, or it is of another shape.
    pub fn field<T: Storable>(&mut self) -> Option<T> {
        serde_json::from_value(self.fields.pop_front()?).ok()
    }
}
