//! Parts computed from other parts. Each is a `const fn` that only remembers its argument, so the
//! purity proof of a key accepts it; the work is done when the key is written.

use super::class::{Known, Stable};
use super::part::{KeyPart, Parts};
use super::text;

/// The SHA-256 of a part, as 64 hex digits: for an identifier that must not be readable in a key,
/// such as an e-mail address.
///
/// The digest is of the part's key text, so that equal parts have equal digests however they were
/// written. Several parts in a tuple are digested together.
///
/// ```
/// use idem::key::{KeyBuilder, sha256};
///
/// let mut key = KeyBuilder::new("newsletter", 1);
/// key.add(&sha256("ada@example.org"));
/// assert_eq!(
///     key.finish()?.as_str(),
///     "newsletter:v1:cfe00dde46ef942601ffafb9e2825e802858b460e586b8305b344c1eb826357d",
/// );
/// # Ok::<(), idem::KeyError>(())
/// ```
#[must_use]
pub const fn sha256<T: ?Sized>(part: &T) -> Sha256<'_, T> {
    Sha256(part)
}

/// See [`sha256`].
#[derive(Debug)]
pub struct Sha256<'a, T: ?Sized>(&'a T);

impl<T: Known + ?Sized> Known for Sha256<'_, T> {
    type Class = T::Class;
}

impl<T: KeyPart + ?Sized> KeyPart for Sha256<'_, T> {
    fn encode(&self, parts: &mut Parts) {
        let mut inner = Parts::to_digest();
        self.0.encode(&mut inner);
        parts.digest_of(&inner);
    }
}

/// A text in lower case: for an identifier that its sources spell in different cases.
///
/// ```
/// use idem::key::{KeyBuilder, lower};
///
/// let mut key = KeyBuilder::new("invite", 1);
/// key.add(&lower("Ada@Example.org"));
/// assert_eq!(key.finish()?.as_str(), "invite:v1:ada@example.org");
/// # Ok::<(), idem::KeyError>(())
/// ```
#[must_use]
pub const fn lower<T: AsRef<str> + ?Sized>(part: &T) -> Lower<'_, T> {
    Lower(part)
}

/// See [`lower`].
#[derive(Debug)]
pub struct Lower<'a, T: ?Sized>(&'a T);

impl<T: ?Sized> Known for Lower<'_, T> {
    type Class = Stable;
}

impl<T: AsRef<str> + ?Sized> KeyPart for Lower<'_, T> {
    fn encode(&self, parts: &mut Parts) {
        let text = self.0.as_ref();
        // A text that is refused for its length is not worth folding.
        if text.len() > super::Key::MAX_TEXT_BYTES {
            parts.text(text);
        } else {
            parts.text(&text::nfc(text).to_lowercase());
        }
    }
}

/// The version 5 UUID of a text within a namespace: the same text, the same UUID, on every attempt.
///
/// ```
/// use idem::key::{KeyBuilder, uuid_v5};
/// use uuid::Uuid;
///
/// let mut key = KeyBuilder::new("import-domain", 1);
/// key.add(&uuid_v5(Uuid::NAMESPACE_DNS, "www.example.com"));
/// assert_eq!(key.finish()?.as_str(), "import-domain:v1:2ed6657d-e927-568b-95e1-2665a8aea6a2");
/// # Ok::<(), idem::KeyError>(())
/// ```
#[cfg(feature = "uuid")]
#[must_use]
pub const fn uuid_v5<T: AsRef<str> + ?Sized>(namespace: uuid::Uuid, part: &T) -> UuidV5<'_, T> {
    UuidV5 { namespace, part }
}

/// See [`uuid_v5`].
#[cfg(feature = "uuid")]
#[derive(Debug)]
pub struct UuidV5<'a, T: ?Sized> {
    namespace: uuid::Uuid,
    part: &'a T,
}

#[cfg(feature = "uuid")]
impl<T: ?Sized> Known for UuidV5<'_, T> {
    type Class = Stable;
}

#[cfg(feature = "uuid")]
impl<T: AsRef<str> + ?Sized> KeyPart for UuidV5<'_, T> {
    fn encode(&self, parts: &mut Parts) {
        let text = self.part.as_ref();
        if text.len() > super::Key::MAX_TEXT_BYTES || text::is_blank(text) {
            // Refused with its own reason: the UUID of an empty name looks like any other.
            parts.text(text);
        } else {
            uuid::Uuid::new_v5(&self.namespace, text::nfc(text).as_bytes()).encode(parts);
        }
    }
}

/// A part on the author's word: in `#[idempotent]`, `trust(expr, reason = "…")` lifts the shape
/// rules and the purity proof for one part. Names and types still apply, and `idem lint` lists it.
///
/// Outside the attribute it is the part itself.
#[must_use]
pub const fn trust<'a, T: ?Sized>(part: &'a T, reason: &'static str) -> &'a T {
    let _ = reason;
    part
}
