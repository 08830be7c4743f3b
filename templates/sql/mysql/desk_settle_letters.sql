-- Marks a key's dead letters as settled.
-- Parameters: 1 the key.
-- Zero rows: it had none that was open.
update dead_letters
set settled_at = utc_timestamp(6)
where idempotency_key = ?/*1*/ and settled_at is null;
