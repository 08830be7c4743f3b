-- Ends a leased claim whose transaction was rolled back. Each assignment sees those above it done.
-- Parameters: 1 key, 2 fence, 3 status: failed or ambiguous, 4 what is known, or null when failed,
-- 5 window in milliseconds, or null for ever; an ambiguous row never expires.
-- Where an effect began whose provider deduplicates, and nobody knows whether it happened, nothing has
-- failed: the row stays in flight with its lease over, so that the next claim judges whether the
-- provider still remembers the key.
-- Zero rows: the claim is lost; whoever has it now decides.
update processed_operations
set
    lease_until = case when ?/*3*/ = 'failed' and keyed_until is not null then utc_timestamp(6) end,
    expires_at = case
        when ?/*3*/ = 'failed' and keyed_until is null
        then coalesce(
            utc_timestamp(6) + interval (?/*5*/ * 1000) microsecond,
            '9999-12-31 23:59:59.999999'
        )
        else '9999-12-31 23:59:59.999999'
    end,
    ambiguous_reason = ?/*4*/,
    status = case when ?/*3*/ = 'failed' and keyed_until is not null then 'in_flight' else ?/*3*/ end
where idempotency_key = ?/*1*/ and fence = ?/*2*/ and status = 'in_flight';
