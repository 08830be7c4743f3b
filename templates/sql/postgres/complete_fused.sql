-- Writes the row of a fused claim once, already done.
-- claimed_at is now(), which is when the transaction began; the window runs from clock_timestamp(),
-- which is when the handler had finished.
-- Parameters: 1 key, 2 workflow, 3 contract version, 4 first half of the contract's digest
-- or null, 5 tenant or null, 6 request hash, 7 hash recipe, 8 field digests, 9 attempt, 10 fence,
-- 11 result kind, 12 result bytes or null, 13 result version,
-- 14 window in milliseconds, or null for ever,
-- 15 fence and 16 status of the row that the claim found, both null when it found none,
-- 17 whether it runs in a transaction of its own.
-- Returns the moment of completion, in milliseconds. Zero rows: the key changed hands meanwhile, or
-- the handler has ended the transaction that it was given; roll back.
-- A done row was followed past its window: one within it came after a sweep, and has its fence only
-- because fences begin anew.
insert into processed_operations as known (
    idempotency_key, workflow, contract_version, contract_digest, tenant,
    status, request_hash, hash_recipe, field_digests, attempt, fence,
    claimed_at, completed_at, expires_at, response_kind, response, response_version
)
select
    $1, $2, $3::bigint::integer, $4, $5,
    'done', $6, $7::bigint::integer, $8, $9::bigint::integer, $10,
    now(), clock_timestamp(),
    coalesce(clock_timestamp() + $14::bigint * interval '1 millisecond', 'infinity'),
    $11, $12, $13::bigint::integer
where $17::boolean or current_setting('idem.key_is_ours', true) = 'true'
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
    completed_at = excluded.completed_at,
    expires_at = excluded.expires_at,
    begun_effect = null,
    ambiguous_reason = null,
    response_kind = excluded.response_kind,
    response = excluded.response,
    response_version = excluded.response_version
where known.fence = $15 and known.status = $16
    and (known.status <> 'done' or known.expires_at <= clock_timestamp())
returning floor(extract(epoch from completed_at) * 1000)::bigint;
