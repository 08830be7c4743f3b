-- Puts a row under another key, as a program with another key recipe would have done.
-- Parameters: 1 the key, 2 the other key.
-- Zero rows: nothing is known under the key.
update processed_operations
join (select ? as known, ? as other) as names on idempotency_key = names.known
set idempotency_key = names.other;
