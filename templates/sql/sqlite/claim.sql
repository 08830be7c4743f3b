-- Decides a leased claim: inserts the key, starts it anew past its window, or takes it over.
-- The where clause is the table of states; the unique key judges between concurrent claims.
-- Parameters: 1 key, 2 workflow, 3 contract version, 4 first half of the contract's digest
-- or null, 5 tenant or null, 6 request hash, 7 hash recipe, 8 field digests,
-- 9 lease in milliseconds, 10 most attempts.
-- Returns the attempt and the fence. Zero rows: not won; the row says why.
insert into processed_operations as known (
    idempotency_key, workflow, contract_version, contract_digest, tenant,
    status, request_hash, hash_recipe, field_digests, attempt, fence,
    claimed_at, lease_until, expires_at
)
values (
    ?1, ?2, ?3, ?4, ?5,
    'in_flight', ?6, ?7, ?8, 1, 1,
    cast(round(unixepoch('subsec') * 1000) as integer),
    cast(round(unixepoch('subsec') * 1000) as integer) + ?9,
    9223372036854775807
)
on conflict (idempotency_key) do update set
    workflow = excluded.workflow,
    contract_version = excluded.contract_version,
    contract_digest = excluded.contract_digest,
    tenant = excluded.tenant,
    status = 'in_flight',
    request_hash = excluded.request_hash,
    hash_recipe = excluded.hash_recipe,
    field_digests = excluded.field_digests,
    attempt = case
        when known.status in ('done', 'failed') and known.expires_at <= excluded.claimed_at then 1
        else known.attempt + 1
    end,
    fence = known.fence + 1,
    claimed_at = excluded.claimed_at,
    lease_until = excluded.lease_until,
    completed_at = null,
    expires_at = excluded.expires_at,
    begun_effect = null,
    effects_since = case
        when known.status in ('done', 'failed') and known.expires_at <= excluded.claimed_at
        then known.fence + 1
        else known.effects_since
    end,
    keyed_until = case when known.status = 'in_flight' then known.keyed_until end,
    ambiguous_reason = null,
    response_kind = null,
    response = null,
    response_version = null
where (known.status in ('done', 'failed') and known.expires_at <= excluded.claimed_at)
    or (
        known.workflow = excluded.workflow
        and known.request_hash = excluded.request_hash
        and known.hash_recipe = excluded.hash_recipe
        and known.attempt < ?10
        and (
            known.status = 'failed'
            or (
                known.status = 'in_flight'
                and known.lease_until <= excluded.claimed_at
                and known.begun_effect is null
                and (known.keyed_until is null or known.keyed_until > excluded.claimed_at)
            )
        )
    )
returning attempt, fence;
