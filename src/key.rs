//! The stable identifier of one operation, and what may be a part of it.
//!
//! A key is made of parts that come from the event alone: the attribute writes the call, and three
//! layers look at every part before it compiles. By hand, a key is made of a workflow's names and a
//! tuple of parts:
//!
//! ```
//! use idem::key::KeyBuilder;
//!
//! let mut key = KeyBuilder::new("refund-order", 2);
//! key.add(&("acme", 4711_u64));
//! assert_eq!(key.finish()?.as_str(), "refund-order:v2:acme:4711");
//! # Ok::<(), idem::KeyError>(())
//! ```
//!
//! A clock, a position or a number without an exact text does not compile:
//!
//! ```compile_fail
//! let mut key = idem::key::KeyBuilder::new("refund-order", 2);
//! key.add(&std::time::SystemTime::now());
//! ```

mod builder;
mod civil;
mod class;
mod derived;
mod part;
mod text;

use std::fmt;

use crate::FieldType;

pub use self::builder::{KeyBuilder, declared, part, tenant, write_part};
pub use self::class::{
    Absent, Clock, Float, Known, List, NotAbsent, NotClock, NotFloat, NotList, NotPosition,
    NotSpan, NotUnordered, Position, Span, Stable, Unordered, Writes,
};
pub use self::derived::{Lower, Sha256, lower, sha256, trust};
#[cfg(feature = "uuid")]
pub use self::derived::{UuidV5, uuid_v5};
pub use self::part::{KeyPart, Parts};
pub(crate) use self::text::{canonical_decimal, is_shaped_as_uuid, nfc, push_hex};

/// The stored text of one operation's key: never empty, never longer than [`Key::MAX_BYTES`],
/// printable ASCII throughout.
///
/// There is no default key and no key made of a lone value: a key exists only after its parts
/// were looked at.
///
/// **Units and shapes**: `<workflow>[@<consumer>]:v<version>:<part>:<part>…`. In a part, `%`, `:`
/// and every byte outside `!`..`~` are percent-encoded, so two lists of parts never give one text.
/// A longer text is stored as `<workflow>[@<consumer>]:v<version>:%sha256:<64 hex>` of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Box<str>);

impl Key {
    /// The longest stored key, in bytes: what a unique index of every supported store takes.
    pub const MAX_BYTES: usize = 255;

    /// The longest text a key may be digested from, in bytes. An honest key is a few ids; a text
    /// beyond this is a payload in the wrong place, and is refused before any store is asked.
    pub const MAX_TEXT_BYTES: usize = 8192;

    /// Reads a key back from its stored text, as operators type it and stores return it.
    ///
    /// **Errors**: [`KeyErrorKind::Malformed`] when the text is not one that this library stores.
    pub fn from_stored(text: &str) -> Result<Self, KeyError> {
        if text::is_stored_key(text) {
            Ok(Self(text.into()))
        } else {
            Err(KeyError::new(KeyErrorKind::Malformed, ""))
        }
    }

    /// The stored text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Key {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Key").field(&self.as_str()).finish()
    }
}

/// A key, or the request beside it, cannot be made of these values.
///
/// The same event gives the same error on every attempt: redelivering it does not help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyError {
    kind: KeyErrorKind,
    workflow: Box<str>,
}

/// Why a key, or the request beside it, cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyErrorKind {
    /// The key has no part at all.
    NoParts,
    /// This part is an empty text.
    EmptyPart(Place),
    /// This part holds nothing that can be seen: white space, control or zero-width characters.
    BlankPart(Place),
    /// This part is the nil or the max UUID: a placeholder, not an identity.
    PlaceholderUuid(Place),
    /// This part does not hold what the contract declares, or what it was given as.
    OtherType(Place, FieldType),
    /// This part is of a kind that changes between attempts. The compiler refuses such a type;
    /// only a class stated by hand comes this far.
    UnstablePart(Place),
    /// The parts together are longer than [`Key::MAX_TEXT_BYTES`].
    TooLong {
        /// How long the text is at least, in bytes.
        bytes: usize,
    },
    /// The text is not one that this library stores.
    Malformed,
    /// A field of the request does not hold what the contract declares.
    RequestField {
        /// The field's name in the contract.
        field: Box<str>,
        /// What is wrong with its value, without the value.
        why: Box<str>,
    },
}

/// Which part of a key, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(pub usize);

impl KeyError {
    pub(crate) fn new(kind: KeyErrorKind, workflow: &str) -> Self {
        Self {
            kind,
            workflow: workflow.into(),
        }
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &KeyErrorKind {
        &self.kind
    }

    /// The workflow whose key it would have been; empty when a stored key was read.
    #[must_use]
    pub fn workflow(&self) -> &str {
        &self.workflow
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let workflow = &self.workflow;
        match &self.kind {
            KeyErrorKind::NoParts => {
                write!(f, "making a key of `{workflow}`: it has no parts; name the fields that identify the operation")
            }
            KeyErrorKind::EmptyPart(Place(part)) => {
                write!(f, "making a key of `{workflow}`: part {part} is empty; unrelated events would share the key, so send the identifier")
            }
            KeyErrorKind::BlankPart(Place(part)) => {
                write!(f, "making a key of `{workflow}`: part {part} is blank; unrelated events would share the key, so send the identifier")
            }
            KeyErrorKind::PlaceholderUuid(Place(part)) => {
                write!(f, "making a key of `{workflow}`: part {part} is the nil or the max UUID, which stands for no identity; send the one assigned to the event")
            }
            KeyErrorKind::OtherType(Place(part), declared) => {
                write!(f, "making a key of `{workflow}`: part {part} is declared {declared} and does not hold one; send it as the contract says")
            }
            KeyErrorKind::UnstablePart(Place(part)) => {
                write!(f, "making a key of `{workflow}`: part {part} changes between attempts; use an identifier that the event carries")
            }
            KeyErrorKind::TooLong { bytes } => {
                write!(f, "making a key of `{workflow}`: its parts take {bytes} bytes or more, and {} is the limit; use the identifier of the event, not its content", Key::MAX_TEXT_BYTES)
            }
            KeyErrorKind::Malformed => {
                f.write_str("reading a key: the text is not a stored key, which looks like `refund-order:v2:acme:4711`")
            }
            KeyErrorKind::RequestField { field, why } => {
                write!(f, "hashing a request of `{workflow}`: field `{field}` {why}")
            }
        }
    }
}

impl std::error::Error for KeyError {}

#[cfg(test)]
mod tests;
