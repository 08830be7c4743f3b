-- Completes a leased claim, in the handler's transaction or, for a refusal, in one of its own.
-- Parameters: 1 key, 2 fence, 3 result kind, 4 result bytes or null, 5 result version,
-- 6 window in milliseconds, or null for ever.
-- Returns the moment of completion. Zero rows: the claim is lost; roll back.
update processed_operations
set
    status = 'done',
    lease_until = null,
    completed_at = cast(round(unixepoch('subsec') * 1000) as integer),
    expires_at = coalesce(cast(round(unixepoch('subsec') * 1000) as integer) + ?6, 9223372036854775807),
    response_kind = ?3,
    response = ?4,
    response_version = ?5
where idempotency_key = ?1 and fence = ?2 and status = 'in_flight'
returning completed_at;
