-- Writes the row of a fused claim that follows another row once, already done.
-- The moments of the claim and of the completion were read by statements before.
-- Parameters: 1 key, 2 workflow, 3 contract version, 4 first half of the contract's digest
-- or null, 5 tenant or null, 6 request hash, 7 hash recipe, 8 field digests, 9 attempt, 10 fence,
-- 11 result kind, 12 result bytes or null, 13 result version,
-- 14 window in milliseconds, or null for ever, 15 fence and 16 status of the row that the claim
-- found.
-- Zero rows: the key changed hands meanwhile; roll back.
-- A done row was followed past its window: one within it came after a sweep, and has its fence only
-- because fences begin anew.
update processed_operations
set
    workflow = ?/*2*/,
    contract_version = ?/*3*/,
    contract_digest = ?/*4*/,
    tenant = ?/*5*/,
    status = 'done',
    request_hash = ?/*6*/,
    hash_recipe = ?/*7*/,
    field_digests = ?/*8*/,
    attempt = ?/*9*/,
    fence = ?/*10*/,
    claimed_at = @idem_claimed_at,
    lease_until = null,
    completed_at = @idem_completed_at,
    expires_at = coalesce(
        @idem_completed_at + interval (?/*14*/ * 1000) microsecond,
        '9999-12-31 23:59:59.999999'
    ),
    begun_effect = null,
    ambiguous_reason = null,
    response_kind = ?/*11*/,
    response = ?/*12*/,
    response_version = ?/*13*/
where idempotency_key = ?/*1*/
    and fence = ?/*15*/
    and status = ?/*16*/
    and (status <> 'done' or expires_at <= utc_timestamp(6));
