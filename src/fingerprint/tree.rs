//! A value as JSON sees it, with numbers kept exact.
//!
//! `serde_json::Value` is not used: its numbers change with features that any crate of the build may
//! turn on, it has no room for 128-bit integers, and it writes a NaN as `null`, which would be a
//! missing member.

mod serializer;

use serde::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};

/// A value on its way into a request hash.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    Null,
    Bool(bool),
    Integer(i128),
    /// Finite.
    Float(f64),
    /// A number as written, from a source that keeps the digits.
    Literal(String),
    Text(String),
    Bytes(Vec<u8>),
    Array(Vec<Tree>),
    /// Members in the order in which they were written.
    Object(Vec<(String, Tree)>),
}

/// Why a value has no place in a request hash; never the value itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Why(pub(super) String);

impl Why {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Why {}

impl serde::ser::Error for Why {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self(format!("cannot be serialised: {message}"))
    }
}

impl Tree {
    pub(super) fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, Why> {
        value.serialize(serializer::Trees)
    }
}

/// RFC 8785 bytes.
pub(super) fn canonical(tree: &Tree) -> Result<Vec<u8>, Why> {
    serde_json_canonicalizer::to_vec(tree)
        .map_err(|error| Why(format!("has no canonical form: {error}")))
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => match i64::try_from(*value) {
                Ok(value) => serializer.serialize_i64(value),
                Err(_) => serializer.serialize_str(&value.to_string()),
            },
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Literal(text) | Self::Text(text) => serializer.serialize_str(text),
            Self::Bytes(bytes) => {
                let mut hex = String::with_capacity(bytes.len() * 2);
                crate::key::push_hex(&mut hex, bytes);
                serializer.serialize_str(&hex)
            }
            Self::Array(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(item)?;
                }
                list.end()
            }
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}
