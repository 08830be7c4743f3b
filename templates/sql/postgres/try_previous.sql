-- Reads whether an overlap of recipes lasts, and tries the lock of the key under the previous one, on
-- which a program that knows no other recipe may be at work.
-- Parameters: 1 the lock's number, 2 the overlap's end in milliseconds.
-- Always returns one row. Reading processed_operations comes after it, in a statement of its own.
select
    clock_timestamp() < 'epoch'::timestamptz + $2::bigint * interval '1 millisecond',
    pg_try_advisory_xact_lock($1::bigint # (to_regclass('processed_operations')::oid::bigint << 32));
