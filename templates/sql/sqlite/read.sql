-- Reads the row of a key, judged by the database's clock in the moment of reading.
-- The effect that had begun is an irreversible or unkeyed one, or `an effect` whose provider may have
-- forgotten its key: naming that one here would cost every replay a look at a second table.
-- Parameters: 1 the key.
-- Zero rows: nothing is known about the key.
select
    workflow,
    status,
    status in ('done', 'failed') and expires_at <= cast(round(unixepoch('subsec') * 1000) as integer),
    case when status = 'in_flight'
        then max(0, lease_until - cast(round(unixepoch('subsec') * 1000) as integer)) end,
    request_hash,
    hash_recipe,
    field_digests,
    attempt,
    fence,
    response_kind,
    response,
    response_version,
    completed_at,
    coalesce(
        begun_effect,
        case when keyed_until <= cast(round(unixepoch('subsec') * 1000) as integer) then 'an effect' end
    ),
    ambiguous_reason
from processed_operations
where idempotency_key = ?1;
