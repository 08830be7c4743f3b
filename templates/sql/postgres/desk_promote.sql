-- Marks operations as ambiguous whose owner is gone while an effect had begun that nobody may perform
-- again. Rows that somebody has locked are left to the next batch.
-- Parameters: 1 the key, or null for any, 2 most rows.
-- Returns key and workflow. Zero rows: there is none.
with lapsed as (
    select idempotency_key
    from processed_operations
    where status = 'in_flight' and (begun_effect is not null or keyed_until is not null)
        and lease_until <= clock_timestamp()
        and (begun_effect is not null or keyed_until <= clock_timestamp())
        and ($1::text is null or idempotency_key = $1)
    order by lease_until
    limit $2
    for update skip locked
)
update processed_operations as operation
set
    status = 'ambiguous',
    lease_until = null,
    expires_at = 'infinity',
    ambiguous_reason = case
        when begun_effect is not null
        then '`' || begun_effect || '` had begun when the lease ran out, and whether it happened is not recorded'
        else '`' || coalesce(
            (
                select min(effect.effect)
                from operation_effects as effect
                where effect.idempotency_key = operation.idempotency_key and effect.status = 'begun'
                    and effect.keyed_until between operation.keyed_until and clock_timestamp()
            ),
            'an effect'
        ) || '` had begun longer ago than its provider remembers keys, and whether it happened is not recorded'
    end
from lapsed
where operation.idempotency_key = lapsed.idempotency_key
returning operation.idempotency_key, operation.workflow;
