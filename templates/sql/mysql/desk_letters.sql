-- Reads every dead letter that a key ever had, oldest first.
-- Parameters: 1 the key.
-- Zero rows: it never had one.
select
    workflow, tenant, kind, attempt, fence, known, owner, channel, deadline_ms,
    timestampdiff(microsecond, '1970-01-01 00:00:00', since) div 1000,
    timestampdiff(microsecond, '1970-01-01 00:00:00', settled_at) div 1000
from dead_letters
where idempotency_key = ?/*1*/
order by since, fence;
