-- Decides a leased claim: inserts the key, starts it anew past its window, or takes it over.
-- The where clause is the table of states; the unique key judges between concurrent claims.
-- It waits for nobody: of concurrent claims of an absent key one gets the lock, which it keeps until
-- the statement is committed, and a row that an owner is about to finish is passed over. Both only
-- spare a loser the wait; the unique key and the where clause decide.
-- The clock is read while the statement runs: now() would be the moment of its beginning.
-- Parameters: 1 key, 2 workflow, 3 contract version, 4 first half of the contract's digest
-- or null, 5 tenant or null, 6 request hash, 7 hash recipe, 8 field digests,
-- 9 lease in milliseconds, 10 most attempts.
-- Returns the attempt and the fence. Zero rows: not won; the row says why, or will soon.
with turn as materialized (
    select pg_try_advisory_xact_lock(
        ('x' || encode(substring(sha256(convert_to($1, 'UTF8')) from 9 for 8), 'hex'))::bit(64)::bigint
        # ('processed_operations'::regclass::oid::bigint << 32)
    ) as is_ours
),
free as materialized (
    select idempotency_key
    from processed_operations
    where idempotency_key = $1
    for no key update skip locked
)
insert into processed_operations as known (
    idempotency_key, workflow, contract_version, contract_digest, tenant,
    status, request_hash, hash_recipe, field_digests, attempt, fence,
    claimed_at, lease_until, expires_at
)
select
    $1, $2, $3::bigint::integer, $4, $5,
    'in_flight', $6, $7::bigint::integer, $8, 1, 1,
    clock_timestamp(), clock_timestamp() + $9::bigint * interval '1 millisecond', 'infinity'
from turn
where turn.is_ours
    and (
        exists (select from free)
        or not exists (select from processed_operations where idempotency_key = $1)
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
        when known.status in ('done', 'failed') and known.expires_at <= clock_timestamp() then 1
        else known.attempt + 1
    end,
    fence = known.fence + 1,
    claimed_at = clock_timestamp(),
    lease_until = clock_timestamp() + $9::bigint * interval '1 millisecond',
    completed_at = null,
    expires_at = 'infinity',
    begun_effect = null,
    effects_since = case
        when known.status in ('done', 'failed') and known.expires_at <= clock_timestamp()
        then known.fence + 1
        else known.effects_since
    end,
    keyed_until = case when known.status = 'in_flight' then known.keyed_until end,
    ambiguous_reason = null,
    response_kind = null,
    response = null,
    response_version = null
where (known.status in ('done', 'failed') and known.expires_at <= clock_timestamp())
    or (
        known.workflow = excluded.workflow
        and known.request_hash = excluded.request_hash
        and known.hash_recipe = excluded.hash_recipe
        and known.attempt < $10::bigint
        and (
            known.status = 'failed'
            or (
                known.status = 'in_flight'
                and known.lease_until <= clock_timestamp()
                and known.begun_effect is null
                and (known.keyed_until is null or known.keyed_until > clock_timestamp())
            )
        )
    )
returning attempt::bigint, fence;
