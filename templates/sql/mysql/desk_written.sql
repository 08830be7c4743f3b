-- Reads the dead letter of the case that a key's row is.
-- Parameters: 1 the key.
-- Returns workflow, tenant, kind, attempt, fence, what is known, owner, channel, deadline in
-- milliseconds, since when in milliseconds from 1970. Zero rows: there is none for the row as it is.
select
    letter.workflow, letter.tenant, letter.kind, letter.attempt, letter.fence, letter.known, letter.owner,
    letter.channel, letter.deadline_ms,
    timestampdiff(microsecond, '1970-01-01 00:00:00', letter.since) div 1000
from processed_operations as operation
join dead_letters as letter
    on letter.idempotency_key = operation.idempotency_key
    and letter.fence = operation.fence
    and letter.claimed_at = operation.claimed_at
where operation.idempotency_key = ?/*1*/;
