-- Reads every row: its key, its status, and all that it holds as one text.
-- Zero rows: nothing was claimed.
select idempotency_key, status, to_jsonb(operation)::text
from processed_operations as operation
order by idempotency_key;
