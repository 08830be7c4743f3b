-- Reads who changed a key by hand, oldest first.
-- Parameters: 1 the key.
-- Zero rows: nobody did.
select
    settled_at,
    settled_by, change, old_status, new_status, old_fence, old_attempt, note
from operation_settlements
where idempotency_key = ?1
order by settlement;
