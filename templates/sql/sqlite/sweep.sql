-- Deletes one batch of finished rows past their window, oldest first. Rows in flight and ambiguous
-- rows never expire.
-- Parameters: 1 most rows.
-- Zero rows: nothing is left to sweep.
delete from processed_operations
where idempotency_key in (
    select idempotency_key
    from processed_operations
    where expires_at <= cast(round(unixepoch('subsec') * 1000) as integer)
        and expires_at < 9223372036854775807
        and status in ('done', 'failed')
    order by expires_at
    limit ?1
);
