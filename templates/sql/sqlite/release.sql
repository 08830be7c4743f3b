-- Gives a leased claim back: nothing of it was done. Its attempt does not count, its fence stays
-- used, so that a late write of this owner finds nothing.
-- Parameters: 1 key, 2 fence, 3 window in milliseconds, or null for ever.
-- Zero rows: the claim is lost.
update processed_operations
set
    status = 'failed',
    attempt = attempt - 1,
    lease_until = null,
    expires_at = coalesce(cast(round(unixepoch('subsec') * 1000) as integer) + ?3, 9223372036854775807)
where idempotency_key = ?1 and fence = ?2 and status = 'in_flight';
