-- Gives a leased claim back: nothing of it was done. Its attempt does not count, its fence stays
-- used, so that a late write of this owner finds nothing.
-- Parameters: 1 key, 2 fence, 3 window in milliseconds, or null for ever.
-- Where an effect of an earlier attempt may have happened whose provider deduplicates, the row stays
-- in flight with its lease over: the next claim judges whether the provider still remembers the key.
-- Zero rows: the claim is lost.
update processed_operations
set
    attempt = attempt - 1,
    lease_until = case when keyed_until is not null then utc_timestamp(6) end,
    expires_at = case
        when keyed_until is null
        then coalesce(
            utc_timestamp(6) + interval (?/*3*/ * 1000) microsecond,
            '9999-12-31 23:59:59.999999'
        )
        else '9999-12-31 23:59:59.999999'
    end,
    status = case when keyed_until is null then 'failed' else 'in_flight' end
where idempotency_key = ?/*1*/ and fence = ?/*2*/ and status = 'in_flight';
