-- Reads cases that have no dead letter yet: ambiguous operations, and those whose owner is gone while an
-- effect had begun that nobody may perform again.
-- Parameters: 1 most rows.
-- Returns key and workflow. Zero rows: there is none.
select convert(operation.idempotency_key using utf8mb4), operation.workflow
from processed_operations as operation
where operation.expires_at = '9999-12-31 23:59:59.999999' and operation.status = 'ambiguous'
    and not exists (
        select 1
        from dead_letters as letter
        where letter.idempotency_key = operation.idempotency_key
            and letter.fence = operation.fence
            and letter.claimed_at = operation.claimed_at
    )
union all
select convert(idempotency_key using utf8mb4), workflow
from processed_operations
where expires_at = '9999-12-31 23:59:59.999999' and status = 'in_flight'
    and lease_until <= utc_timestamp(6)
    and (begun_effect is not null or keyed_until <= utc_timestamp(6))
limit ?/*1*/;
