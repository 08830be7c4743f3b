-- Reads cases that have no dead letter yet: ambiguous operations, and those whose owner is gone while an
-- effect had begun that nobody may perform again.
-- Parameters: 1 most rows.
-- Returns key and workflow. Zero rows: there is none.
select operation.idempotency_key, operation.workflow
from processed_operations as operation
where operation.status = 'ambiguous'
    and not exists (
        select 1
        from dead_letters as letter
        where letter.idempotency_key = operation.idempotency_key
            and letter.fence = operation.fence
            and letter.claimed_at = operation.claimed_at
    )
union all
select idempotency_key, workflow
from processed_operations
where status = 'in_flight' and (begun_effect is not null or keyed_until is not null)
    and lease_until <= cast(round(unixepoch('subsec') * 1000) as integer)
    and (begun_effect is not null or keyed_until <= cast(round(unixepoch('subsec') * 1000) as integer))
limit ?1;
