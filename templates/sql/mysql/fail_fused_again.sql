-- Counts a fused attempt that followed a row and whose transaction was rolled back. Never overwrites
-- a newer row.
-- Parameters: 1 key, 2 workflow, 3 contract version, 4 first half of the contract's digest
-- or null, 5 tenant or null, 6 request hash, 7 hash recipe, 8 field digests, 9 attempt, 10 fence,
-- 11 status: failed or ambiguous, 12 what is known, or null when failed,
-- 13 window in milliseconds or null for ever, 14 fence and 15 status of the row that the claim
-- found.
-- Zero rows: the key changed hands meanwhile; whoever has it now decides.
-- A done row was followed past its window: one within it came after a sweep, and has its fence only
-- because fences begin anew.
update processed_operations
set
    workflow = ?/*2*/,
    contract_version = ?/*3*/,
    contract_digest = ?/*4*/,
    tenant = ?/*5*/,
    status = ?/*11*/,
    request_hash = ?/*6*/,
    hash_recipe = ?/*7*/,
    field_digests = ?/*8*/,
    attempt = ?/*9*/,
    fence = ?/*10*/,
    claimed_at = utc_timestamp(6),
    lease_until = null,
    completed_at = null,
    expires_at = case ?/*11*/
        when 'failed'
        then coalesce(
            utc_timestamp(6) + interval (?/*13*/ * 1000) microsecond,
            '9999-12-31 23:59:59.999999'
        )
        else '9999-12-31 23:59:59.999999'
    end,
    begun_effect = null,
    ambiguous_reason = ?/*12*/,
    response_kind = null,
    response = null,
    response_version = null
where idempotency_key = ?/*1*/
    and fence = ?/*14*/
    and status = ?/*15*/
    and (status <> 'done' or expires_at <= utc_timestamp(6));
