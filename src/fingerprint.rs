//! The request hash: what tells a retry from another request under the same key.

mod normal;
mod tree;

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::key::{KeyError, KeyErrorKind, canonical_decimal};
use tree::Tree;

/// The digest of the declared request fields of one delivery, with a short digest of each field so
/// that a mismatch can name what differs.
///
/// **Units and shapes**: SHA-256 over the RFC 8785 canonical JSON of `{field: value}`. Decimals,
/// and integers beyond 2^53, enter as strings; text is in normal form C; a missing member and
/// `null` are left out.
///
/// ```
/// use idem::{FieldType, Fingerprint};
///
/// let of = |amount: &str| {
///     let mut request = Fingerprint::recipe("refund-order", 2);
///     request.field("amount", FieldType::Decimal, amount);
///     request.field("currency", FieldType::Enum, "EUR");
///     request.finish()
/// };
/// let first = of("1.50")?;
/// assert_eq!(first, of("1.5")?);
///
/// let other = of("15.0")?;
/// assert_eq!(first.differing_fields(&other.field_digests()), ["amount"]);
/// # Ok::<(), idem::KeyError>(())
/// ```
#[derive(Clone)]
pub struct Fingerprint {
    version: u32,
    digest: [u8; 32],
    fields: Vec<FieldText>,
}

impl PartialEq for Fingerprint {
    fn eq(&self, other: &Self) -> bool {
        // A field that was left out and one that was null are the same request.
        self.version == other.version && self.digest == other.digest
    }
}

impl Eq for Fingerprint {}

impl fmt::Debug for Fingerprint {
    /// Without the fields: values stay out of logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digest = String::with_capacity(64);
        crate::key::push_hex(&mut digest, &self.digest);
        f.debug_struct("Fingerprint")
            .field("version", &self.version)
            .field("digest", &digest)
            .finish_non_exhaustive()
    }
}

/// One field's part in a fingerprint. A replay never asks for its digest, so it is made on demand.
#[derive(Clone)]
struct FieldText {
    name: &'static str,
    /// Canonical JSON of its value; `None` where there is no value.
    text: Option<Vec<u8>>,
}

impl FieldText {
    /// How many bytes are stored of a field that has a value: the start of its name's SHA-256 and
    /// of its value's. Enough to name the field that differs, too little to stand for its value;
    /// the names themselves are the same in every row of a workflow.
    const STORED: usize = 6;

    fn tag(&self) -> [u8; 2] {
        let [a, b, ..] = <[u8; 32]>::from(Sha256::digest(self.name));
        [a, b]
    }

    fn stored(&self) -> Option<[u8; Self::STORED]> {
        let text = self.text.as_ref()?;
        let ([a, b], [c, d, e, f, ..]) = (self.tag(), <[u8; 32]>::from(Sha256::digest(text)));
        Some([a, b, c, d, e, f])
    }
}

/// What the contract says a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldType {
    /// Text.
    String,
    /// A whole number.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// A UUID, hyphenated or not.
    Uuid,
    /// An exact decimal number.
    Decimal,
    /// A binary floating-point number.
    Float,
    /// A civil date.
    Date,
    /// A moment; hashed as it is written.
    Timestamp,
    /// One of a list of values.
    Enum,
    /// Opaque bytes.
    Bytes,
    /// Members by name.
    Object,
    /// A list; its order is significant.
    Array,
    /// Whatever it says of itself: a value that no contract describes.
    Any,
}

impl FieldType {
    /// The contract's text of a value that was written as text: `None` where it holds no such
    /// value. Types whose text says it all leave it as it is.
    pub(crate) fn text_of(self, text: &str) -> Option<Cow<'_, str>> {
        match self {
            Self::Uuid => normal::uuid(text).map(Cow::Owned),
            Self::Decimal => canonical_decimal(text).map(Cow::Owned),
            Self::Integer => canonical_decimal(text)
                .filter(|digits| !digits.contains('.'))
                .map(Cow::Owned),
            Self::Boolean => matches!(text, "true" | "false").then_some(Cow::Borrowed(text)),
            Self::String
            | Self::Float
            | Self::Date
            | Self::Timestamp
            | Self::Enum
            | Self::Bytes
            | Self::Object
            | Self::Array
            | Self::Any => Some(Cow::Borrowed(text)),
        }
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::Uuid => "uuid",
            Self::Decimal => "decimal",
            Self::Float => "float",
            Self::Date => "date",
            Self::Timestamp => "timestamp",
            Self::Enum => "enum",
            Self::Bytes => "bytes",
            Self::Object => "object",
            Self::Array => "array",
            Self::Any => "any",
        }
    }
}

impl fmt::Display for FieldType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Fingerprint {
    /// Starts a fingerprint of this workflow and version of its hash recipe.
    #[must_use]
    pub fn recipe(workflow: &'static str, version: u32) -> Hasher {
        Hasher {
            workflow,
            version,
            members: Vec::new(),
            wrong: None,
        }
    }

    /// The version of the recipe: digests of two versions cannot be compared.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The SHA-256 that is stored and compared.
    #[must_use]
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The short digests, to be stored beside [`Self::digest`]: six bytes for each field that has
    /// a value, two of them for its name.
    #[must_use]
    pub fn field_digests(&self) -> Vec<u8> {
        self.fields
            .iter()
            .filter_map(FieldText::stored)
            .flatten()
            .collect()
    }

    /// The names of the fields whose value is another one than in a request that was hashed by another
    /// recipe, sorted. Fields that only one of the two has are not compared.
    #[must_use]
    pub fn contradicting_fields(&self, stored: &[u8]) -> Vec<String> {
        let (stored, _) = stored.as_chunks::<{ FieldText::STORED }>();
        let differs = |field: &&FieldText| {
            let known = stored.iter().any(|theirs| theirs.starts_with(&field.tag()));
            field
                .stored()
                .is_some_and(|ours| known && !stored.contains(&ours))
        };
        self.fields
            .iter()
            .filter(differs)
            .map(|field| field.name.to_owned())
            .collect()
    }

    /// The names of the fields in which this request differs from a stored one, sorted. `stored` is
    /// what [`Self::field_digests`] gave then. Empty when the two are equal.
    #[must_use]
    pub fn differing_fields(&self, stored: &[u8]) -> Vec<String> {
        let (stored, _) = stored.as_chunks::<{ FieldText::STORED }>();
        let differs = |field: &&FieldText| match field.stored() {
            Some(ours) => !stored.contains(&ours),
            None => stored.iter().any(|theirs| theirs.starts_with(&field.tag())),
        };
        self.fields
            .iter()
            .filter(differs)
            .map(|field| field.name.to_owned())
            .collect()
    }
}

/// A request being hashed: one call for each declared field, in any order.
#[derive(Debug)]
pub struct Hasher {
    workflow: &'static str,
    version: u32,
    members: Vec<(&'static str, Tree)>,
    wrong: Option<KeyErrorKind>,
}

impl Hasher {
    /// Adds a field by its name in the contract. The first field that does not hold what its type
    /// says is kept, and the fingerprint is refused when it is finished.
    pub fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, kind: FieldType, value: &T) {
        let member = Tree::of(value).and_then(|tree| normal::field(kind, tree));
        match member {
            Ok(tree) => self.members.push((name, tree)),
            Err(why) => {
                self.wrong.get_or_insert(KeyErrorKind::RequestField {
                    field: name.into(),
                    why: why.as_str().into(),
                });
            }
        }
    }

    /// The finished fingerprint.
    ///
    /// **Errors**: [`KeyErrorKind::RequestField`] for a value that is not what its field's type says.
    pub fn finish(mut self) -> Result<Fingerprint, KeyError> {
        if let Some(wrong) = self.wrong {
            return Err(KeyError::new(wrong, self.workflow));
        }
        // RFC 8785 orders members by UTF-16 code units.
        self.members
            .sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
        let refused = |field: &str, why: &str| {
            let (field, why) = (field.into(), why.into());
            KeyError::new(KeyErrorKind::RequestField { field, why }, self.workflow)
        };
        if let Some(twice) = self.members.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(refused(twice[0].0, "is hashed twice"));
        }
        let canonical = |name: &str, tree: &Tree| {
            tree::canonical(tree).map_err(|why| refused(name, why.as_str()))
        };
        let mut fields = Vec::with_capacity(self.members.len());
        // The canonical form of an object is that of its members, so each is made once.
        let mut whole = Sha256::new_with_prefix("{");
        let mut separator = "";
        for (name, tree) in &self.members {
            if matches!(tree, Tree::Null) {
                fields.push(FieldText { name, text: None });
                continue;
            }
            let text = canonical(name, tree)?;
            whole.update(separator);
            whole.update(canonical(
                name,
                &Tree::Text(crate::key::nfc(name).into_owned()),
            )?);
            whole.update(":");
            whole.update(&text);
            separator = ",";
            fields.push(FieldText {
                name,
                text: Some(text),
            });
        }
        whole.update("}");
        Ok(Fingerprint {
            version: self.version,
            digest: whole.finalize().into(),
            fields,
        })
    }
}

#[cfg(test)]
mod tests;
