-- Reads who changed a key by hand, oldest first.
-- Parameters: 1 the key.
-- Zero rows: nobody did.
select
    timestampdiff(microsecond, '1970-01-01 00:00:00', settled_at) div 1000,
    settled_by, `change`, old_status, new_status, old_fence, old_attempt, note
from operation_settlements
where idempotency_key = ?/*1*/
order by settlement;
