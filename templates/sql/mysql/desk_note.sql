-- Writes the dead letter of a key whose row only a person can decide about, unless it is written.
-- Parameters: 1 key, 2 most attempts, or null where they are not known, 3 owner or null, 4 channel or
-- null, 5 deadline in milliseconds or null, 6 window in milliseconds, or null for ever or not known.
-- Zero rows: it was written before, or the row is not such a case any more. It fails on the unique key
-- where another writes it now.
insert into dead_letters (
    idempotency_key, fence, claimed_at, workflow, tenant, kind, attempt, known,
    owner, channel, deadline_ms, window_ms, since
)
select
    operation.idempotency_key, operation.fence, operation.claimed_at, operation.workflow, operation.tenant,
    case operation.status when 'ambiguous' then 'ambiguous' else 'exhausted' end,
    operation.attempt,
    case operation.status
        when 'ambiguous' then operation.ambiguous_reason
        when 'failed' then 'the last attempt failed and left nothing behind'
        else 'the lease of the last attempt ran out, and no effect outside had begun'
    end,
    ?/*3*/, ?/*4*/, ?/*5*/, ?/*6*/, utc_timestamp(6)
from processed_operations as operation
where operation.idempotency_key = ?/*1*/
    and not exists (
        select 1
        from dead_letters as letter
        where letter.idempotency_key = operation.idempotency_key
            and letter.fence = operation.fence
            and letter.claimed_at = operation.claimed_at
    )
    and (
        operation.status = 'ambiguous'
        or (
            operation.attempt >= ?/*2*/
            and (
                (operation.status = 'failed' and operation.expires_at > utc_timestamp(6))
                or (
                    operation.status = 'in_flight'
                    and operation.lease_until <= utc_timestamp(6)
                    and operation.begun_effect is null
                    and (operation.keyed_until is null or operation.keyed_until > utc_timestamp(6))
                )
            )
        )
    );
