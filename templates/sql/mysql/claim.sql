-- Decides a leased claim of a key that is absent; the unique key judges between concurrent claims.
-- It waits for nobody: of concurrent claims one gets the lock of that name, which its session keeps
-- until the statement is committed. The lock only spares a loser the wait.
-- Parameters: 1 key, 2 workflow, 3 contract version, 4 first half of the contract's digest
-- or null, 5 tenant or null, 6 request hash, 7 hash recipe, 8 field digests,
-- 9 lease in milliseconds.
-- Zero rows: another claim is being decided. It fails on the unique key where the key is not absent.
insert into processed_operations (
    idempotency_key, workflow, contract_version, contract_digest, tenant,
    status, request_hash, hash_recipe, field_digests, attempt, fence,
    claimed_at, lease_until, expires_at
)
select
    ?/*1*/, ?/*2*/, ?/*3*/, ?/*4*/, ?/*5*/,
    'in_flight', ?/*6*/, ?/*7*/, ?/*8*/, 1, 1,
    utc_timestamp(6), utc_timestamp(6) + interval (?/*9*/ * 1000) microsecond,
    '9999-12-31 23:59:59.999999'
from (
    select get_lock(
        concat('idem-claim:', left(sha2(concat_ws(':', database(), sha2(?/*1*/, 256)), 256), 40)),
        0
    ) as is_ours
) as turn
where turn.is_ours = 1;
