//! Which fields say for whom the work is done, and which tell one operation from another.

use crate::{Contract, Field, Origin, Part, Span, name, refusal};

/// Names that a tenant goes by.
const TENANTS: &[&str] = &[
    "tenant",
    "tenant_id",
    "org_id",
    "organisation_id",
    "organization_id",
    "workspace_id",
    "merchant_id",
];

/// The declared fields of the key with the places where it names them, in its order.
pub(crate) fn key_fields(contract: &Contract) -> impl Iterator<Item = (Span, &Field)> {
    contract
        .key
        .fields
        .get()
        .into_iter()
        .flatten()
        .filter_map(|name| Some((name.span, contract.field(&name.value)?)))
}

/// Whether values of that origin tell one operation from another all by themselves.
pub(crate) fn discriminates(origin: Origin) -> bool {
    matches!(
        origin,
        Origin::SourceId | Origin::StoredBeforeAttempt | Origin::SourceSequence | Origin::Content
    )
}

/// Whether a key part says for whom, and not what.
pub(crate) fn is_scope(contract: &Contract, part: &Part) -> bool {
    part.origin == Some(Origin::Authenticated)
        || contract.key.tenant.get() == Some(&part.name)
        || TENANTS.contains(&name::plain(&part.name).as_ref())
}

/// The payload fields that say for whom: from the credentials first, then by name.
pub(crate) fn scope(contract: &Contract) -> Vec<&Field> {
    let authenticated = |field: &&Field| field.origin.get() == Some(&Origin::Authenticated);
    let mut fields: Vec<&Field> = contract.payload.iter().filter(authenticated).collect();
    // A tenant before a caller: `tenant_id` beside an authenticated `user_id`.
    fields.sort_by_key(|field| !is_named_tenant(field));
    fields.extend(
        contract
            .payload
            .iter()
            .filter(|field| !authenticated(field) && is_named_tenant(field)),
    );
    fields
}

fn is_named_tenant(field: &Field) -> bool {
    TENANTS.contains(&name::plain(&field.name.value).as_ref())
}

/// The fields outside the key that would tell operations apart, the best first.
pub(crate) fn discriminators(contract: &Contract) -> impl Iterator<Item = &Field> {
    const BEST_FIRST: [Origin; 3] = [
        Origin::SourceId,
        Origin::StoredBeforeAttempt,
        Origin::SourceSequence,
    ];
    BEST_FIRST.into_iter().flat_map(move |origin| {
        contract.payload.iter().filter(move |field| {
            field.origin.get() == Some(&origin)
                && field.required.get() != Some(&false)
                && field.default.is_absent()
                && !is_named_tenant(field)
                && !refusal::is_refused_field(field)
                && !contract
                    .key
                    .fields
                    .get()
                    .is_some_and(|key| key.iter().any(|name| name.value == field.name.value))
        })
    })
}

/// Whether a key part is a coordinate in a log: by its origin, or by a name that nothing else has.
pub(crate) fn is_broker_position(part: &Part) -> bool {
    let named = matches!(
        name::plain(&part.name).as_ref(),
        "partition" | "offset" | "kafka_partition" | "kafka_offset"
    );
    (named || part.origin == Some(Origin::BrokerPosition)) && !refusal::is_refused(part)
}
