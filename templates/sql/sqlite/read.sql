-- Reads the row of a key, judged by the database's clock in the moment of reading.
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
    begun_effect,
    ambiguous_reason
from processed_operations
where idempotency_key = ?1;
