-- Completes a leased claim, in the handler's transaction or, for a refusal, in one of its own.
-- The window runs from this moment, not from the transaction's beginning, so now() will not do.
-- Parameters: 1 key, 2 fence, 3 result kind, 4 result bytes or null, 5 result version,
-- 6 window in milliseconds, or null for ever, 7 whether it runs in a transaction of its own.
-- Returns the moment of completion, in milliseconds. Zero rows: the claim is lost, or the handler has
-- ended the transaction that it was given; roll back.
update processed_operations
set
    status = 'done',
    lease_until = null,
    completed_at = clock_timestamp(),
    expires_at = coalesce(clock_timestamp() + $6::bigint * interval '1 millisecond', 'infinity'),
    response_kind = $3,
    response = $4,
    response_version = $5::bigint::integer
where idempotency_key = $1 and fence = $2 and status = 'in_flight'
    and ($7::boolean or current_setting('idem.key_is_ours', true) = 'true')
returning floor(extract(epoch from completed_at) * 1000)::bigint;
