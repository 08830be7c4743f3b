-- Reads every row: its key, its status, and all that it holds as one text.
-- Zero rows: nothing was claimed.
select
    idempotency_key,
    status,
    idempotency_key || ' ' || status || ' attempt=' || attempt || ' fence=' || fence
        || ' claimed_at=' || claimed_at || ' lease_until=' || quote(lease_until)
        || ' completed_at=' || quote(completed_at) || ' expires_at=' || expires_at
        || ' request=' || hex(request_hash) || ' recipe=' || hash_recipe || ' ' || hex(field_digests)
        || ' ' || quote(response_kind) || ' ' || quote(response_version) || ' ' || quote(response)
        || ' ' || quote(begun_effect) || ' ' || quote(ambiguous_reason) || ' ' || quote(tenant)
        || ' ' || workflow || ' ' || contract_version || ' ' || hex(contract_digest)
from processed_operations
order by idempotency_key;
