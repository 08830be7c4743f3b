-- Completes a leased claim, in the handler's transaction or, for a refusal, in one of its own.
-- The moment of completion was read by the statement before.
-- Parameters: 1 key, 2 fence, 3 result kind, 4 result bytes or null, 5 result version,
-- 6 window in milliseconds, or null for ever.
-- Zero rows: the claim is lost; roll back.
update processed_operations
set
    status = 'done',
    lease_until = null,
    completed_at = @idem_completed_at,
    expires_at = coalesce(
        @idem_completed_at + interval (?/*6*/ * 1000) microsecond,
        '9999-12-31 23:59:59.999999'
    ),
    response_kind = ?/*3*/,
    response = ?/*4*/,
    response_version = ?/*5*/
where idempotency_key = ?/*1*/ and fence = ?/*2*/ and status = 'in_flight';
