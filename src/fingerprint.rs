//! The request hash: what tells a retry from another request under the same key.

mod normal;
mod tree;

use std::fmt::Write as _;

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::key::{KeyError, KeyErrorKind};
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
/// assert_eq!(first.differing_fields(&other.fields()), ["amount"]);
/// # Ok::<(), idem::KeyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    version: u32,
    digest: [u8; 32],
    fields: Vec<FieldDigest>,
}

/// One field's part in a fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FieldDigest {
    name: Box<str>,
    /// Enough to name the field that differs; too little to stand for its value.
    digest: [u8; 4],
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

    /// The short digests as text to be stored beside [`Self::digest`]:
    /// `amount=1f0c9a3b currency=77e2ad10`, sorted by name. Names are percent-encoded as key parts
    /// are.
    #[must_use]
    pub fn fields(&self) -> String {
        let mut out = String::with_capacity(self.fields.len() * 24);
        for field in &self.fields {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(&field.name);
            out.push('=');
            for byte in field.digest {
                // Writing to a String cannot fail.
                let _ = write!(out, "{byte:02x}");
            }
        }
        out
    }

    /// The names of the fields in which this request differs from a stored one, sorted. `stored` is
    /// what [`Self::fields`] gave then. Empty when they are equal or `stored` names nothing.
    #[must_use]
    pub fn differing_fields(&self, stored: &str) -> Vec<String> {
        let ours = self.fields();
        let split = |text: &str| -> Vec<(String, String)> {
            text.split(' ')
                .filter_map(|pair| pair.rsplit_once('='))
                .map(|(name, digest)| (name.to_owned(), digest.to_owned()))
                .collect()
        };
        let (ours, stored) = (split(&ours), split(stored));
        let mut names: Vec<String> = ours
            .iter()
            .filter(|pair| !stored.contains(pair))
            .chain(stored.iter().filter(|pair| !ours.contains(pair)))
            .map(|(name, _)| name.clone())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
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
            Ok(Tree::Null) => {}
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
        self.members.sort_by_key(|(name, _)| *name);
        let refused = |field: &str, why: &str| {
            let (field, why) = (field.into(), why.into());
            KeyError::new(KeyErrorKind::RequestField { field, why }, self.workflow)
        };
        if let Some(twice) = self.members.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(refused(twice[0].0, "is hashed twice"));
        }
        let mut fields = Vec::with_capacity(self.members.len());
        for (name, tree) in &self.members {
            let text = tree::canonical(tree).map_err(|why| refused(name, why.as_str()))?;
            let [a, b, c, d, ..] = <[u8; 32]>::from(Sha256::digest(text));
            fields.push(FieldDigest {
                name: crate::key::encoded(name).into(),
                digest: [a, b, c, d],
            });
        }
        let members = self
            .members
            .iter()
            .map(|(name, tree)| (crate::key::nfc(name).into_owned(), tree.clone()));
        let whole = tree::canonical(&Tree::Object(members.collect()))
            .map_err(|why| refused("*", why.as_str()))?;
        Ok(Fingerprint {
            version: self.version,
            digest: Sha256::digest(whole).into(),
            fields,
        })
    }
}

#[cfg(test)]
mod tests;
