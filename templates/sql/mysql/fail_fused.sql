-- Counts a fused attempt that found no row and whose transaction was rolled back.
-- Parameters: 1 key, 2 workflow, 3 contract version, 4 first half of the contract's digest
-- or null, 5 tenant or null, 6 request hash, 7 hash recipe, 8 field digests, 9 attempt, 10 fence,
-- 11 status: failed or ambiguous, 12 what is known, or null when failed,
-- 13 window in milliseconds or null for ever.
-- Zero rows: cannot be. It fails on the unique key where the key changed hands meanwhile; whoever has
-- it now decides.
insert into processed_operations (
    idempotency_key, workflow, contract_version, contract_digest, tenant,
    status, request_hash, hash_recipe, field_digests, attempt, fence,
    claimed_at, expires_at, ambiguous_reason
)
values (
    ?/*1*/, ?/*2*/, ?/*3*/, ?/*4*/, ?/*5*/,
    ?/*11*/, ?/*6*/, ?/*7*/, ?/*8*/, ?/*9*/, ?/*10*/,
    utc_timestamp(6),
    case ?/*11*/
        when 'failed'
        then coalesce(
            utc_timestamp(6) + interval (?/*13*/ * 1000) microsecond,
            '9999-12-31 23:59:59.999999'
        )
        else '9999-12-31 23:59:59.999999'
    end,
    ?/*12*/
);
