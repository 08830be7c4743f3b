-- Grants an operation one more attempt. The new fence shuts out whoever worked on it before.
-- Parameters: 1 key, 2 fence, 3 status, 4 attempt and 5 claim's moment in milliseconds from 1970, all as
-- they were read.
-- Zero rows: the row has changed meanwhile, or an attempt is at work.
update processed_operations
set
    fence = fence + 1,
    attempt = greatest(0, attempt - 1)
where idempotency_key = ?/*1*/ and fence = ?/*2*/ and status = ?/*3*/ and attempt = ?/*4*/
    and timestampdiff(microsecond, '1970-01-01 00:00:00', claimed_at) div 1000 = ?/*5*/
    and (status <> 'in_flight' or lease_until <= utc_timestamp(6))
    and status in ('failed', 'in_flight') and expires_at > utc_timestamp(6);
