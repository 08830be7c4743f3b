-- Counts a fused attempt whose transaction was rolled back. Never overwrites a newer row.
-- Parameters: 1 key, 2 workflow, 3 contract version, 4 first half of the contract's digest
-- or null, 5 tenant or null, 6 request hash, 7 hash recipe, 8 field digests, 9 attempt, 10 fence,
-- 11 status: failed or ambiguous, 12 what is known, or null when failed,
-- 13 window in milliseconds or null for ever, 14 fence and 15 status of the row that the claim
-- found, both null when it found none.
-- Zero rows: the key changed hands meanwhile; whoever has it now decides.
-- A done row was followed past its window: one within it came after a sweep, and has its fence only
-- because fences begin anew.
insert into processed_operations as known (
    idempotency_key, workflow, contract_version, contract_digest, tenant,
    status, request_hash, hash_recipe, field_digests, attempt, fence,
    claimed_at, expires_at, ambiguous_reason
)
values (
    ?1, ?2, ?3, ?4, ?5,
    ?11, ?6, ?7, ?8, ?9, ?10,
    cast(round(unixepoch('subsec') * 1000) as integer),
    case ?11
        when 'failed'
        then coalesce(cast(round(unixepoch('subsec') * 1000) as integer) + ?13, 9223372036854775807)
        else 9223372036854775807
    end,
    ?12
)
on conflict (idempotency_key) do update set
    workflow = excluded.workflow,
    contract_version = excluded.contract_version,
    contract_digest = excluded.contract_digest,
    tenant = excluded.tenant,
    status = excluded.status,
    request_hash = excluded.request_hash,
    hash_recipe = excluded.hash_recipe,
    field_digests = excluded.field_digests,
    attempt = excluded.attempt,
    fence = excluded.fence,
    claimed_at = excluded.claimed_at,
    lease_until = null,
    completed_at = null,
    expires_at = excluded.expires_at,
    begun_effect = null,
    ambiguous_reason = excluded.ambiguous_reason,
    response_kind = null,
    response = null,
    response_version = null
where known.fence = ?14 and known.status = ?15
    and (known.status <> 'done' or known.expires_at <= cast(round(unixepoch('subsec') * 1000) as integer));
