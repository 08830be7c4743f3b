-- Grants an operation one more attempt. The new fence shuts out whoever worked on it before.
-- Parameters: 1 key, 2 fence, 3 status, 4 attempt and 5 claim's moment in milliseconds from 1970, all as
-- they were read.
-- Returns the new fence. Zero rows: the row has changed meanwhile, or an attempt is at work.
update processed_operations
set
    fence = fence + 1,
    attempt = max(0, attempt - 1)
where idempotency_key = ?1 and fence = ?2 and status = ?3 and attempt = ?4
    and claimed_at = ?5
    and (status <> 'in_flight' or lease_until <= cast(round(unixepoch('subsec') * 1000) as integer))
    and status in ('failed', 'in_flight') and expires_at > cast(round(unixepoch('subsec') * 1000) as integer)
returning fence;
