-- Puts a row under another key, as a program with another key recipe would have done.
-- Parameters: 1 the key, 2 the other key.
-- Zero rows: nothing is known under the key.
update processed_operations set idempotency_key = $2 where idempotency_key = $1;
