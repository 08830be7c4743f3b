//! From parts to a key.

use super::class::{
    Known, NotAbsent, NotClock, NotFloat, NotList, NotPosition, NotSpan, NotUnordered, Writes,
};
use super::part::Parts;
use super::text;
use super::{Key, KeyError, KeyErrorKind};
use crate::FieldType;

/// A key being made: names first, then the parts in the contract's order.
#[derive(Debug)]
pub struct KeyBuilder {
    workflow: &'static str,
    /// Bytes of `parts` that every key of the workflow starts with.
    prefix: usize,
    parts: Parts,
}

impl KeyBuilder {
    /// Starts a key of this workflow and version of its key recipe.
    #[must_use]
    pub fn new(workflow: &'static str, version: u32) -> Self {
        Self::scoped(workflow, None, version)
    }

    /// Starts a key for one consumer of a workflow among several.
    #[must_use]
    pub fn scoped(workflow: &'static str, consumer: Option<&str>, version: u32) -> Self {
        let prefix = text::prefix(workflow, consumer, version);
        Self {
            workflow,
            prefix: prefix.len(),
            parts: Parts::starting_with(prefix),
        }
    }

    /// Adds one part, or each element of a tuple as one.
    pub fn add<T>(&mut self, value: &T)
    where
        T: Known + ?Sized,
        T::Class: NotClock<T>
            + NotPosition<T>
            + NotFloat<T>
            + NotAbsent<T>
            + NotUnordered<T>
            + NotList<T>
            + NotSpan<T>
            + Writes<T>,
    {
        <T::Class as Writes<T>>::write(value, &mut self.parts);
        self.parts.declare(None);
    }

    /// The finished key.
    ///
    /// **Errors**: a part is empty, blank or a placeholder UUID, there is no part, or the parts are
    /// longer than [`Key::MAX_TEXT_BYTES`].
    pub fn finish(self) -> Result<Key, KeyError> {
        let workflow = self.workflow;
        let text = self
            .parts
            .finish()
            .map_err(|kind| KeyError::new(kind, workflow))?;
        if text.len() <= Key::MAX_BYTES {
            return Ok(Key(text.into_boxed_str()));
        }
        let mut digest = String::with_capacity(Key::MAX_BYTES);
        digest.push_str(&text[..self.prefix]);
        digest.push_str(":%sha256:");
        text::push_sha256(&mut digest, text.as_bytes());
        if digest.len() > Key::MAX_BYTES {
            // Only names that no contract may have are as long as this.
            let kind = KeyErrorKind::TooLong { bytes: text.len() };
            return Err(KeyError::new(kind, workflow));
        }
        Ok(Key(digest.into_boxed_str()))
    }
}

/// Says what the contract declares the next part to be: text that holds a UUID or a number is then
/// one part however it is written.
pub fn declared(builder: &mut KeyBuilder, kind: FieldType) {
    builder.parts.declare(Some(kind));
}

/// Adds one part: where an expansion's key meets the types' classes.
pub fn part<T>(builder: &mut KeyBuilder, value: &T)
where
    T: Known + ?Sized,
    T::Class: NotClock<T>
        + NotPosition<T>
        + NotFloat<T>
        + NotAbsent<T>
        + NotUnordered<T>
        + NotList<T>
        + NotSpan<T>
        + Writes<T>,
{
    builder.add(value);
}

/// Adds one part, the tenant, and gives its text back: the store keeps it beside the key.
#[must_use]
pub fn tenant<T>(builder: &mut KeyBuilder, value: &T) -> String
where
    T: Known + ?Sized,
    T::Class: NotClock<T>
        + NotPosition<T>
        + NotFloat<T>
        + NotAbsent<T>
        + NotUnordered<T>
        + NotList<T>
        + NotSpan<T>
        + Writes<T>,
{
    let before = builder.parts.written();
    builder.add(value);
    builder.parts.text_from(before).to_owned()
}

/// Adds a field of a derived part: the bounds are asked of the field's type.
pub fn write_part<T>(value: &T, parts: &mut Parts)
where
    T: Known + ?Sized,
    T::Class: NotClock<T>
        + NotPosition<T>
        + NotFloat<T>
        + NotAbsent<T>
        + NotUnordered<T>
        + NotList<T>
        + NotSpan<T>
        + Writes<T>,
{
    <T::Class as Writes<T>>::write(value, parts);
}
