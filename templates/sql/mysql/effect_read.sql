-- Reads the effects of an operation that are recorded, and those that began and may have happened.
-- Effects of a window that is over are as if they were not there.
-- Parameters: 1 key.
-- Returns the effect, and its result: null when it only began. Zero rows: none began.
select known.effect, known.result
from processed_operations as operation
join operation_effects as known on known.idempotency_key = operation.idempotency_key
where operation.idempotency_key = ?/*1*/
    and known.fence >= coalesce(operation.effects_since, 1)
    and (known.status = 'done' or known.keyed_until >= operation.keyed_until);
