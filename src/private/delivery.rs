//! What one delivery asks for: its key and its request hash, field by field.

use std::time::{Duration, SystemTime};

use super::Hashable;
use crate::fingerprint::{FieldType, Hasher};
use crate::key::{
    self, KeyBuilder, Known, NotAbsent, NotClock, NotFloat, NotList, NotPosition, NotSpan,
    NotUnordered, Writes,
};
use crate::store::Request;
use crate::{KeyError, Workflow};

/// One delivery, on its way to a claim.
pub struct Delivery {
    pub(super) workflow: &'static Workflow,
    key: KeyBuilder,
    hasher: Hasher,
    tenant: Option<String>,
    previous: Vec<(KeyBuilder, SystemTime)>,
}

impl Delivery {
    /// What the store is asked.
    pub(super) fn finish(self) -> Result<Request, KeyError> {
        let mut request = Request::new(self.workflow, self.key.finish()?, self.hasher.finish()?);
        if let Some(tenant) = self.tenant {
            request = request.tenant(tenant);
        }
        for (key, until) in self.previous {
            // An event that makes no key under an old recipe has no row under it.
            if let Ok(key) = key.finish() {
                request = request.previous(key, until);
            }
        }
        Ok(request)
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
        previous: Vec::new(),
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

/// Begins the key of a previous recipe, whose rows count before that many days after 1970-01-01 (UTC)
/// are over. Its parts follow.
pub fn previous(delivery: &mut Delivery, version: u32, days: u64) {
    let workflow = delivery.workflow;
    let key = KeyBuilder::scoped(workflow.name(), workflow.consumer_name(), version);
    let until = SystemTime::UNIX_EPOCH + Duration::from_secs(days.saturating_mul(24 * 60 * 60));
    delivery.previous.push((key, until));
}

/// Adds one part to the key of the previous recipe that was begun last.
pub fn previous_part<T>(delivery: &mut Delivery, declared: FieldType, value: &T)
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
    if let Some((key, _)) = delivery.previous.last_mut() {
        declare(key, declared);
        key.add(value);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    static RETURN: Workflow = Workflow::new("return-order", 3).consumer("returns");

    /// What the attribute writes for a contract with two previous recipes.
    fn returned(slot: &str) -> Request {
        let mut delivery = delivery(&RETURN);
        key_part(&mut delivery, FieldType::Any, "r1");
        previous(&mut delivery, 2, 20879);
        previous_part(&mut delivery, FieldType::Any, "r1");
        previous_part(&mut delivery, FieldType::Any, slot);
        previous(&mut delivery, 1, 1);
        previous_part(&mut delivery, FieldType::Integer, "007");
        delivery.finish().expect("the event makes a key")
    }

    #[test]
    fn previous_recipes_make_keys_of_their_own_versions_and_times() {
        let request = returned("a:b");
        assert_eq!(request.key().as_str(), "return-order@returns:v3:r1");
        let known: Vec<_> = request
            .previous_keys()
            .iter()
            .map(|known| {
                let since = known.until().duration_since(SystemTime::UNIX_EPOCH);
                (known.key().as_str(), since.expect("it is later").as_secs())
            })
            .collect();
        // 2027-03-02, when the day that the contract names is over.
        assert_eq!(
            known,
            [
                ("return-order@returns:v2:r1:a%3Ab", 1_803_945_600),
                ("return-order@returns:v1:7", 86_400),
            ]
        );
    }

    #[test]
    fn an_event_that_makes_no_key_under_an_old_recipe_has_no_row_under_it() {
        let request = returned("");
        let known = request
            .previous_keys()
            .iter()
            .map(|known| known.key().as_str());
        assert_eq!(known.collect::<Vec<_>>(), ["return-order@returns:v1:7"]);
    }
}
