-- Reads operations that wait for a person, oldest first; never a payload.
-- Parameters, each null for any but the last: 1 workflow, 2 status, 3 tenant, 4 known for at least that
-- many milliseconds, 5 the key, 6 most rows.
-- Zero rows: nothing waits.
select
    operation.idempotency_key, operation.workflow, operation.tenant, operation.status,
    operation.attempt, operation.fence,
    operation.claimed_at,
    case when operation.status = 'in_flight' 
        then max(0, operation.lease_until - cast(round(unixepoch('subsec') * 1000) as integer)) end,
    operation.completed_at,
    case when operation.expires_at < 9223372036854775807
        then operation.expires_at end,
    (operation.status in ('done', 'failed') and operation.expires_at <= cast(round(unixepoch('subsec') * 1000) as integer)),
    coalesce(
        operation.begun_effect,
        case when operation.keyed_until <= cast(round(unixepoch('subsec') * 1000) as integer) then 'an effect' end
    ),
    operation.ambiguous_reason,
    operation.response_kind, operation.response_version, length(operation.response),
    letter.kind, letter.attempt, letter.known, letter.owner, letter.channel, letter.deadline_ms,
    letter.since
from dead_letters as letter
join processed_operations as operation
    on letter.idempotency_key = operation.idempotency_key
    and letter.fence = operation.fence
    and letter.claimed_at = operation.claimed_at
where letter.settled_at is null
    and (?1 is null or operation.workflow = ?1)
    and (?2 is null or operation.status = ?2)
    and (?3 is null or operation.tenant = ?3)
    and (?4 is null or letter.since <= cast(round(unixepoch('subsec') * 1000) as integer) - ?4)
    and (?5 is null or operation.idempotency_key = ?5)
order by letter.since, operation.idempotency_key
limit ?6;
