-- Gives a leased claim back: nothing of it was done. Its attempt does not count, its fence stays
-- used, so that a late write of this owner finds nothing.
-- Parameters: 1 key, 2 fence, 3 window in milliseconds, or null for ever.
-- Where an effect of an earlier attempt may have happened whose provider deduplicates, the row stays
-- in flight with its lease over: the next claim judges whether the provider still remembers the key.
-- Zero rows: the claim is lost.
update processed_operations
set
    status = case when keyed_until is null then 'failed' else 'in_flight' end,
    attempt = attempt - 1,
    lease_until = case when keyed_until is not null then cast(round(unixepoch('subsec') * 1000) as integer) end,
    expires_at = case
        when keyed_until is null
        then coalesce(cast(round(unixepoch('subsec') * 1000) as integer) + ?3, 9223372036854775807)
        else 9223372036854775807
    end
where idempotency_key = ?1 and fence = ?2 and status = 'in_flight';
