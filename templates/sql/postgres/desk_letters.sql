-- Reads every dead letter that a key ever had, oldest first.
-- Parameters: 1 the key.
-- Zero rows: it never had one.
select
    workflow, tenant, kind, attempt::bigint, fence, known, owner, channel, deadline_ms,
    floor(extract(epoch from since) * 1000)::bigint,
    floor(extract(epoch from settled_at) * 1000)::bigint
from dead_letters
where idempotency_key = $1
order by since, fence;
