-- Reads whether the case that a key's row is has its dead letter already: most deliveries of such a key
-- need to write nothing.
-- Parameters: 1 the key.
-- Zero rows: there is none for the row as it is.
select 1
from processed_operations as operation
join dead_letters as letter
    on letter.idempotency_key = operation.idempotency_key
    and letter.fence = operation.fence
    and letter.claimed_at = operation.claimed_at
where operation.idempotency_key = ?/*1*/;
