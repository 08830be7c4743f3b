-- Settles an operation as a person decided: done with a result, or failed. The new fence shuts out
-- whoever worked on it before.
-- Parameters: 1 key, 2 fence, 3 status, 4 attempt and 5 claim's moment in milliseconds from 1970, all as
-- they were read; 6 the new status, 7 result kind, 8 result bytes and 9 result version, null when failed.
-- Zero rows: the row has changed meanwhile, or an attempt is at work.
update processed_operations
set
    status = ?/*6*/,
    fence = fence + 1,
    lease_until = null,
    completed_at = case ?/*6*/ when 'done' then utc_timestamp(6) end,
    expires_at = coalesce(
        (
            select utc_timestamp(6) + interval (letter.window_ms * 1000) microsecond
            from dead_letters as letter
            where letter.idempotency_key = ?/*1*/ and letter.fence = ?/*2*/
                and letter.claimed_at = processed_operations.claimed_at
        ),
        '9999-12-31 23:59:59.999999'
    ),
    begun_effect = null,
    keyed_until = null,
    ambiguous_reason = null,
    response_kind = ?/*7*/,
    response = ?/*8*/,
    response_version = ?/*9*/
where idempotency_key = ?/*1*/ and fence = ?/*2*/ and status = ?/*3*/ and attempt = ?/*4*/
    and timestampdiff(microsecond, '1970-01-01 00:00:00', claimed_at) div 1000 = ?/*5*/
    and (status <> 'in_flight' or lease_until <= utc_timestamp(6));
