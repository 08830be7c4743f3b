//! What one delivery asks for: its key and its request hash, field by field.

use super::Hashable;
use crate::fingerprint::{FieldType, Hasher};
use crate::key::{
    self, KeyBuilder, Known, NotAbsent, NotClock, NotFloat, NotList, NotPosition, NotSpan,
    NotUnordered, Writes,
};
use crate::{Fingerprint, Key, KeyError, Workflow};

/// One delivery, on its way to a claim.
pub struct Delivery {
    pub(super) workflow: &'static Workflow,
    key: KeyBuilder,
    hasher: Hasher,
    tenant: Option<String>,
}

impl Delivery {
    /// The tenant's text, the key and the request hash.
    pub(super) fn finish(
        self,
    ) -> (
        Option<String>,
        Result<Key, KeyError>,
        Result<Fingerprint, KeyError>,
    ) {
        (self.tenant, self.key.finish(), self.hasher.finish())
    }
}

/// A delivery of this workflow.
#[must_use]
pub fn delivery(workflow: &'static Workflow) -> Delivery {
    Delivery {
        workflow,
        key: super::key(workflow),
        hasher: super::hasher(workflow),
        tenant: None,
    }
}

/// Adds one part to the key: where it meets the types' classes. `declared` is what the contract says
/// the part is, [`FieldType::Any`] where it says nothing.
pub fn key_part<T>(delivery: &mut Delivery, declared: FieldType, value: &T)
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
    declare(&mut delivery.key, declared);
    delivery.key.add(value);
}

/// The same for the part that is the tenant: the store keeps its text beside the key.
pub fn tenant_part<T>(delivery: &mut Delivery, declared: FieldType, value: &T)
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
    declare(&mut delivery.key, declared);
    delivery.tenant = Some(key::tenant(&mut delivery.key, value));
}

fn declare(key: &mut KeyBuilder, declared: FieldType) {
    if declared != FieldType::Any {
        key::declared(key, declared);
    }
}

/// Adds one field to the request hash.
pub fn hashed<T: Hashable + ?Sized>(
    delivery: &mut Delivery,
    name: &'static str,
    kind: FieldType,
    value: &T,
) {
    delivery.hasher.field(name, kind, value);
}
