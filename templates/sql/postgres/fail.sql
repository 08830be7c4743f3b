-- Ends a leased claim whose transaction was rolled back.
-- Parameters: 1 key, 2 fence, 3 status: failed or ambiguous, 4 what is known, or null when failed,
-- 5 window in milliseconds, or null for ever; an ambiguous row never expires.
-- Zero rows: the claim is lost; whoever has it now decides.
update processed_operations
set
    status = $3,
    lease_until = null,
    expires_at = case $3
        when 'failed'
        then coalesce(clock_timestamp() + $5::bigint * interval '1 millisecond', 'infinity')
        else 'infinity'
    end,
    ambiguous_reason = $4
where idempotency_key = $1 and fence = $2 and status = 'in_flight';
