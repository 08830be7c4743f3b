-- Marks operations as ambiguous whose owner is gone while an effect had begun that nobody may perform
-- again. Rows that somebody has locked are left to the next batch.
-- Parameters: 1 nothing, 2 most rows.
-- Zero rows: there is none.
update (
    select idempotency_key, begun_effect, keyed_until
    from processed_operations
    where expires_at = '9999-12-31 23:59:59.999999' and status = 'in_flight'
        and lease_until <= utc_timestamp(6)
        and (begun_effect is not null or keyed_until <= utc_timestamp(6))
    order by lease_until
    limit ?/*2*/
    for update skip locked
) as lapsed
straight_join processed_operations as operation on operation.idempotency_key = lapsed.idempotency_key
set
    operation.status = 'ambiguous',
    operation.lease_until = null,
    operation.expires_at = '9999-12-31 23:59:59.999999',
    operation.ambiguous_reason = case
        when lapsed.begun_effect is not null
        then concat('`', lapsed.begun_effect, '` had begun when the lease ran out, and whether it happened is not recorded')
        else concat('`', coalesce(
            (
                select min(effect.effect)
                from operation_effects as effect
                where effect.idempotency_key = lapsed.idempotency_key and effect.status = 'begun'
                    and effect.keyed_until between lapsed.keyed_until and utc_timestamp(6)
            ),
            'an effect'
        ), '` had begun longer ago than its provider remembers keys, and whether it happened is not recorded')
    end;
