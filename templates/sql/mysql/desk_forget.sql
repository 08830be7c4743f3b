-- Ends an operation's window now: its key counts as absent, and the next sweep deletes the row. The row
-- stays until then, because its new fence shuts out whoever worked on it before.
-- Parameters: 1 key, 2 fence, 3 status, 4 attempt and 5 claim's moment in milliseconds from 1970, all as
-- they were read.
-- Zero rows: the row has changed meanwhile, or an attempt is at work.
update processed_operations
set
    status = 'failed',
    fence = fence + 1,
    lease_until = null,
    completed_at = null,
    expires_at = utc_timestamp(6),
    begun_effect = null,
    keyed_until = null,
    ambiguous_reason = null,
    response_kind = null,
    response = null,
    response_version = null
where idempotency_key = ?/*1*/ and fence = ?/*2*/ and status = ?/*3*/ and attempt = ?/*4*/
    and timestampdiff(microsecond, '1970-01-01 00:00:00', claimed_at) div 1000 = ?/*5*/
    and (status <> 'in_flight' or lease_until <= utc_timestamp(6));
