//! What may be a part of a key, and how it becomes text.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::num::NonZero;
use std::sync::Arc;

use super::class::{Known, Stable};
use super::text;
use super::{Key, KeyErrorKind, Place};
use crate::FieldType;

/// A value that may be a part of a key: one exact text for one value, the same on every attempt.
///
/// Derived for structs, newtypes and field-less enums. By hand, it takes both traits:
///
/// ```
/// use idem::key::{KeyPart, Known, Parts, Stable};
///
/// /// An order number, as printed on the receipt.
/// struct OrderNumber { year: u16, number: u32 }
///
/// impl Known for OrderNumber {
///     type Class = Stable;
/// }
/// impl KeyPart for OrderNumber {
///     fn encode(&self, parts: &mut Parts) {
///         parts.text(&format!("{}/{:06}", self.year, self.number));
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a part of an idempotency key",
    label = "not a key part",
    note = "a part needs one exact text for one value, the same on every attempt: strings, fixed-width integers, `bool`, UUIDs, byte arrays, civil dates, decimals, and what is made of them; not times, positions, floats, lists, maps, or values that may be absent",
    note = "write a field of the event that identifies the operation instead; a type of your own whose fields identify it takes `#[derive(idem::KeyPart)]`"
)]
pub trait KeyPart: Known<Class = Stable> {
    /// Adds this value's text to a key. A value of several fields adds several parts.
    fn encode(&self, parts: &mut Parts);
}

/// The parts of a key being made.
///
/// Nothing here returns an error: the first thing that is wrong is kept, and the key is refused
/// when it is finished.
#[derive(Debug)]
pub struct Parts {
    text: String,
    count: usize,
    /// The longest text that is taken in, in bytes.
    limit: usize,
    /// What the contract says of the part that is added next.
    declared: Option<FieldType>,
    wrong: Option<KeyErrorKind>,
}

impl Parts {
    pub(crate) fn starting_with(prefix: String) -> Self {
        Self {
            text: prefix,
            count: 0,
            limit: Key::MAX_TEXT_BYTES,
            declared: None,
            wrong: None,
        }
    }

    /// Parts that are only ever digested, and may therefore be a document's worth of text.
    pub(crate) fn to_digest() -> Self {
        Self {
            limit: 1024 * 1024,
            ..Self::starting_with(String::new())
        }
    }

    /// Says what the contract declares the next part to be, or that no more is known.
    pub(super) fn declare(&mut self, declared: Option<FieldType>) {
        self.declared = declared;
    }

    /// Adds a text, in normal form C and percent-encoded. Case is kept, unless the contract
    /// declares something that has a text of its own: a UUID, a number.
    pub fn text(&mut self, part: &str) {
        let place = self.begin();
        let Some(declared) = self.declared.filter(|_| !text::is_blank(part)) else {
            return self.plain_text(place, part);
        };
        match declared.text_of(part) {
            Some(text) => self.plain_text(place, &text),
            None => self.refuse(KeyErrorKind::OtherType(place, declared)),
        }
    }

    fn plain_text(&mut self, place: Place, part: &str) {
        if part.is_empty() {
            self.refuse(KeyErrorKind::EmptyPart(place));
        } else if self.is_too_long(part.len()) {
            // Said already; a text this long is not looked at.
        } else if text::is_blank(part) {
            self.refuse(KeyErrorKind::BlankPart(place));
        } else if text::is_placeholder_uuid(part) {
            self.refuse(KeyErrorKind::PlaceholderUuid(place));
        } else {
            text::push_encoded(&mut self.text, &text::nfc(part));
        }
    }

    /// Adds an integer, decimal and without leading zeros.
    pub fn integer(&mut self, part: i128) {
        self.plain(part);
    }

    /// Adds a decimal number given as text, written out: `1.50` and `15e-1` are `1.5`.
    ///
    /// The key is refused when the text is not a decimal number.
    pub fn decimal(&mut self, part: &str) {
        let place = self.begin();
        match text::canonical_decimal(part) {
            Some(text) => self.text.push_str(&text),
            None => self.refuse(KeyErrorKind::OtherType(place, FieldType::Decimal)),
        }
    }

    /// Adds bytes, as lower-case hex.
    pub fn bytes(&mut self, part: &[u8]) {
        let place = self.begin();
        if part.is_empty() {
            self.refuse(KeyErrorKind::EmptyPart(place));
        } else if !self.is_too_long(part.len()) {
            text::push_hex(&mut self.text, part);
        }
    }

    /// Adds what is printable ASCII without `%` and `:` by its type.
    pub(crate) fn plain(&mut self, part: impl fmt::Display) {
        self.begin();
        // Writing to a String cannot fail.
        let _ = write!(self.text, "{part}");
    }

    #[cfg(any(feature = "chrono", feature = "time", feature = "jiff"))]
    pub(crate) fn date(&mut self, year: i32, month: u8, day: u8) {
        self.begin();
        text::push_date(&mut self.text, year, month, day);
    }

    /// Adds the SHA-256 of parts that were written apart, or takes over what is wrong with them.
    pub(crate) fn digest_of(&mut self, inner: &Parts) {
        let place = self.begin();
        match (&inner.wrong, inner.text.strip_prefix(':')) {
            (None, Some(text)) => text::push_sha256(&mut self.text, text.as_bytes()),
            (None, None) => self.refuse(KeyErrorKind::EmptyPart(place)),
            (Some(wrong), _) => self.refuse(wrong.at(place)),
        }
    }

    pub(crate) fn unstable(&mut self) {
        let place = self.begin();
        self.refuse(KeyErrorKind::UnstablePart(place));
    }

    pub(crate) fn finish(self) -> Result<String, KeyErrorKind> {
        if let Some(wrong) = self.wrong {
            return Err(wrong);
        }
        if self.count == 0 {
            return Err(KeyErrorKind::NoParts);
        }
        if self.text.len() > Key::MAX_TEXT_BYTES {
            return Err(KeyErrorKind::TooLong {
                bytes: self.text.len(),
            });
        }
        Ok(self.text)
    }

    /// How much text there is, in bytes.
    pub(super) fn written(&self) -> usize {
        self.text.len()
    }

    /// The parts that were added since, without the colon before them.
    pub(super) fn text_from(&self, written: usize) -> &str {
        let text = &self.text[written..];
        text.strip_prefix(':').unwrap_or(text)
    }

    fn begin(&mut self) -> Place {
        self.count += 1;
        self.text.push(':');
        Place(self.count)
    }

    fn is_too_long(&mut self, more: usize) -> bool {
        let bytes = self.text.len().saturating_add(more);
        let too_long = bytes > self.limit;
        if too_long {
            self.refuse(KeyErrorKind::TooLong { bytes });
        }
        too_long
    }

    fn refuse(&mut self, wrong: KeyErrorKind) {
        self.wrong.get_or_insert(wrong);
    }
}

impl KeyErrorKind {
    /// The same mistake, at the part it sits in.
    fn at(&self, place: Place) -> Self {
        match self {
            Self::EmptyPart(_) => Self::EmptyPart(place),
            Self::BlankPart(_) => Self::BlankPart(place),
            Self::PlaceholderUuid(_) => Self::PlaceholderUuid(place),
            Self::UnstablePart(_) => Self::UnstablePart(place),
            Self::OtherType(_, declared) => Self::OtherType(place, *declared),
            Self::NoParts | Self::TooLong { .. } | Self::Malformed | Self::RequestField { .. } => {
                self.clone()
            }
        }
    }
}

macro_rules! stable {
    ($($ty:ty => |$value:ident, $parts:ident| $encode:expr;)*) => {$(
        impl Known for $ty {
            type Class = Stable;
        }
        impl KeyPart for $ty {
            fn encode(&self, $parts: &mut Parts) {
                let $value = self;
                $encode;
            }
        }
    )*};
}

macro_rules! stable_integers {
    ($($ty:ty),*) => {stable! {$(
        $ty => |value, parts| parts.plain(value);
        NonZero<$ty> => |value, parts| parts.plain(value);
    )*}};
}

stable_integers!(i8, i16, i32, i64, i128, u8, u16, u32, u64, u128);

stable! {
    str => |value, parts| parts.text(value);
    String => |value, parts| parts.text(value);
    Cow<'_, str> => |value, parts| parts.text(value);
    Box<str> => |value, parts| parts.text(value);
    bool => |value, parts| parts.plain(value);
}

impl<const N: usize> Known for [u8; N] {
    type Class = Stable;
}
impl<const N: usize> KeyPart for [u8; N] {
    fn encode(&self, parts: &mut Parts) {
        parts.bytes(self);
    }
}

macro_rules! through {
    ($($ty:ty),*) => {$(
        impl<T: Known + ?Sized> Known for $ty {
            type Class = T::Class;
        }
        impl<T: KeyPart + ?Sized> KeyPart for $ty {
            fn encode(&self, parts: &mut Parts) {
                T::encode(self, parts);
            }
        }
    )*};
}

through!(&T, &mut T, Arc<T>);

macro_rules! tuples {
    ($($name:ident)+) => {
        impl<$($name: KeyPart),+> Known for ($($name,)+) {
            type Class = Stable;
        }
        impl<$($name: KeyPart),+> KeyPart for ($($name,)+) {
            #[expect(non_snake_case, reason = "the type's name doubles as the element's")]
            fn encode(&self, parts: &mut Parts) {
                let ($($name,)+) = self;
                $($name.encode(parts);)+
            }
        }
    };
}

tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);

#[cfg(feature = "uuid")]
stable! {
    uuid::Uuid => |value, parts| parts.text(value.hyphenated().encode_lower(&mut uuid::Uuid::encode_buffer()));
}

#[cfg(feature = "rust_decimal")]
stable! {
    rust_decimal::Decimal => |value, parts| parts.decimal(&value.to_string());
}
