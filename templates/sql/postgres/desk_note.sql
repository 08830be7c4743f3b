-- Writes the dead letter of a key whose row only a person can decide about, unless it is written.
-- Parameters: 1 key, 2 most attempts, or null where they are not known, 3 owner or null, 4 channel or
-- null, 5 deadline in milliseconds or null, 6 window in milliseconds, or null for ever or not known.
-- Returns what the letter says: workflow, tenant, kind, attempt, fence, what is known, owner, channel,
-- deadline in milliseconds, since when in milliseconds from 1970.
-- Zero rows: it was written before, or the row is not such a case any more.
insert into dead_letters (
    idempotency_key, fence, claimed_at, workflow, tenant, kind, attempt, known,
    owner, channel, deadline_ms, window_ms, since
)
select
    idempotency_key, fence, claimed_at, workflow, tenant,
    case status when 'ambiguous' then 'ambiguous' else 'exhausted' end,
    attempt,
    case status
        when 'ambiguous' then ambiguous_reason
        when 'failed' then 'the last attempt failed and left nothing behind'
        else 'the lease of the last attempt ran out, and no effect outside had begun'
    end,
    $3, $4, $5::bigint, $6::bigint, clock_timestamp()
from processed_operations
where idempotency_key = $1
    and (
        status = 'ambiguous'
        or (
            attempt >= $2::bigint
            and (
                (status = 'failed' and expires_at > clock_timestamp())
                or (
                    status = 'in_flight'
                    and lease_until <= clock_timestamp()
                    and begun_effect is null
                    and (keyed_until is null or keyed_until > clock_timestamp())
                )
            )
        )
    )
on conflict do nothing
returning
    workflow, tenant, kind, attempt::bigint, fence, known, owner, channel, deadline_ms,
    floor(extract(epoch from since) * 1000)::bigint;
