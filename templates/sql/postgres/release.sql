-- Gives a leased claim back: nothing of it was done. Its attempt does not count, its fence stays
-- used, so that a late write of this owner finds nothing.
-- Parameters: 1 key, 2 fence, 3 window in milliseconds, or null for ever.
-- Zero rows: the claim is lost.
update processed_operations
set
    status = 'failed',
    attempt = attempt - 1,
    lease_until = null,
    expires_at = coalesce(clock_timestamp() + $3::bigint * interval '1 millisecond', 'infinity')
where idempotency_key = $1 and fence = $2 and status = 'in_flight';
