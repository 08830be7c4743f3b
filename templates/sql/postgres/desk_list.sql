-- Reads operations for an operator, in the order of their keys; never a payload.
-- Parameters, each null for any but the last: 1 workflow, 2 status, 3 tenant, 4 claimed at least that
-- many milliseconds ago, 5 the key, 6 most rows.
-- Zero rows: there is none.
select
    operation.idempotency_key, operation.workflow, operation.tenant, operation.status,
    operation.attempt::bigint, operation.fence,
    floor(extract(epoch from operation.claimed_at) * 1000)::bigint,
    case when operation.status = 'in_flight' then greatest(
        0, ceil(extract(epoch from operation.lease_until - clock_timestamp()) * 1000)
    )::bigint end,
    floor(extract(epoch from operation.completed_at) * 1000)::bigint,
    case when operation.expires_at < 'infinity'
        then floor(extract(epoch from operation.expires_at) * 1000)::bigint end,
    (operation.status in ('done', 'failed') and operation.expires_at <= clock_timestamp())::integer::bigint,
    coalesce(
        operation.begun_effect,
        case when operation.keyed_until <= clock_timestamp() then 'an effect' end
    ),
    operation.ambiguous_reason,
    operation.response_kind, operation.response_version::bigint, octet_length(operation.response)::bigint,
    letter.kind, letter.attempt::bigint, letter.known, letter.owner, letter.channel, letter.deadline_ms,
    floor(extract(epoch from letter.since) * 1000)::bigint
from processed_operations as operation
left join dead_letters as letter
    on letter.idempotency_key = operation.idempotency_key
    and letter.fence = operation.fence
    and letter.claimed_at = operation.claimed_at
    and letter.settled_at is null
where ($1::text is null or operation.workflow = $1)
    and ($2::text is null or operation.status = $2)
    and ($3::text is null or operation.tenant = $3)
    and ($4::bigint is null or operation.claimed_at <= clock_timestamp() - $4 * interval '1 millisecond')
    and ($5::text is null or operation.idempotency_key = $5)
order by operation.idempotency_key
limit $6;
