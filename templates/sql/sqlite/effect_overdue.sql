-- Names the effect whose provider may have forgotten its key; of several the first by name.
-- Parameters: 1 the operation's key.
-- Always returns one row. It is null where there is none.
select min(known.effect)
from operation_effects as known
where known.idempotency_key = ?1 and known.status = 'begun'
    and known.keyed_until between
        (
            select operation.keyed_until
            from processed_operations as operation
            where operation.idempotency_key = ?1
        )
        and cast(round(unixepoch('subsec') * 1000) as integer);
