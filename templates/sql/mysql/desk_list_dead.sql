-- Reads operations that wait for a person, oldest first; never a payload.
-- Parameters, each null for any but the last: 1 workflow, 2 status, 3 tenant, 4 known for at least that
-- many milliseconds, 5 the key, 6 most rows.
-- Zero rows: nothing waits.
select
    convert(operation.idempotency_key using utf8mb4), operation.workflow, operation.tenant, operation.status,
    operation.attempt, operation.fence,
    timestampdiff(microsecond, '1970-01-01 00:00:00', operation.claimed_at) div 1000,
    case when operation.status = 'in_flight'
        then greatest(0, (timestampdiff(microsecond, utc_timestamp(6), operation.lease_until) + 999) div 1000) end,
    timestampdiff(microsecond, '1970-01-01 00:00:00', operation.completed_at) div 1000,
    case when operation.expires_at < '9999-12-31 23:59:59.999999'
        then timestampdiff(microsecond, '1970-01-01 00:00:00', operation.expires_at) div 1000 end,
    operation.status in ('done', 'failed') and operation.expires_at <= utc_timestamp(6),
    coalesce(
        operation.begun_effect,
        case when operation.keyed_until <= utc_timestamp(6) then 'an effect' end
    ),
    operation.ambiguous_reason,
    operation.response_kind, operation.response_version, cast(octet_length(operation.response) as signed),
    letter.kind, letter.attempt, letter.known, letter.owner, letter.channel, letter.deadline_ms,
    timestampdiff(microsecond, '1970-01-01 00:00:00', letter.since) div 1000
from dead_letters as letter
join processed_operations as operation
    on letter.idempotency_key = operation.idempotency_key
    and letter.fence = operation.fence
    and letter.claimed_at = operation.claimed_at
where letter.settled_at is null
    and (?/*1*/ is null or operation.workflow = ?/*1*/)
    and (?/*2*/ is null or operation.status = ?/*2*/)
    and (?/*3*/ is null or operation.tenant = ?/*3*/)
    and (?/*4*/ is null or timestampdiff(microsecond, letter.since, utc_timestamp(6)) div 1000 >= ?/*4*/)
    and (?/*5*/ is null or operation.idempotency_key = ?/*5*/)
order by letter.since, operation.idempotency_key
limit ?/*6*/;
