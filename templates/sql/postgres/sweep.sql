-- Deletes one batch of finished rows past their window, oldest first, and never waits: a row that
-- a claim has locked is left to the next batch. Rows in flight and ambiguous rows never expire.
-- Parameters: 1 most rows.
-- Zero rows: nothing is left to sweep.
with finished as (
    select idempotency_key
    from processed_operations
    where expires_at <= now() and expires_at < 'infinity' and status in ('done', 'failed')
    order by expires_at
    limit $1
    for update skip locked
)
delete from processed_operations
using finished
where processed_operations.idempotency_key = finished.idempotency_key;
