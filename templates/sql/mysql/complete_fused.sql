-- Writes the row of a fused claim that found none once, already done.
-- The moments of the claim and of the completion were read by statements before.
-- Parameters: 1 key, 2 workflow, 3 contract version, 4 first half of the contract's digest
-- or null, 5 tenant or null, 6 request hash, 7 hash recipe, 8 field digests, 9 attempt, 10 fence,
-- 11 result kind, 12 result bytes or null, 13 result version,
-- 14 window in milliseconds, or null for ever.
-- Zero rows: cannot be. It fails on the unique key where the key changed hands meanwhile; roll back.
insert into processed_operations (
    idempotency_key, workflow, contract_version, contract_digest, tenant,
    status, request_hash, hash_recipe, field_digests, attempt, fence,
    claimed_at, completed_at, expires_at, response_kind, response, response_version
)
values (
    ?/*1*/, ?/*2*/, ?/*3*/, ?/*4*/, ?/*5*/,
    'done', ?/*6*/, ?/*7*/, ?/*8*/, ?/*9*/, ?/*10*/,
    @idem_claimed_at, @idem_completed_at,
    coalesce(
        @idem_completed_at + interval (?/*14*/ * 1000) microsecond,
        '9999-12-31 23:59:59.999999'
    ),
    ?/*11*/, ?/*12*/, ?/*13*/
);
