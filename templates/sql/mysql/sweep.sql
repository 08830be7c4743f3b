-- Deletes one batch of finished rows past their window, oldest first, and never waits: a row that
-- a claim has locked is left to the next batch. Rows in flight and ambiguous rows never expire.
-- The order of the join is given, because the other one reads, and locks, the whole table.
-- Parameters: 1 most rows.
-- Zero rows: nothing is left to sweep.
delete swept
from (
    select idempotency_key
    from processed_operations
    where expires_at <= utc_timestamp(6) and status in ('done', 'failed')
    order by expires_at
    limit ?/*1*/
    for update skip locked
) as finished
straight_join processed_operations as swept on swept.idempotency_key = finished.idempotency_key;
