-- Reads every dead letter that a key ever had, oldest first.
-- Parameters: 1 the key.
-- Zero rows: it never had one.
select
    workflow, tenant, kind, attempt, fence, known, owner, channel, deadline_ms,
    since,
    settled_at
from dead_letters
where idempotency_key = ?1
order by since, fence;
