-- Reads every row: its key, its status, and all that it holds as one text.
-- Zero rows: nothing was claimed.
select
    convert(idempotency_key using utf8mb4),
    status,
    concat_ws(
        ' ',
        workflow, contract_version, hex(contract_digest), tenant, status, hex(request_hash), hash_recipe,
        hex(field_digests), attempt, fence, claimed_at, lease_until, completed_at, expires_at,
        begun_effect, ambiguous_reason, response_kind, hex(response), response_version,
        effects_since, keyed_until
    )
from processed_operations
order by idempotency_key;
