-- Reads whether an overlap of recipes lasts, and tries the lock of the key under the previous one, on
-- which a program that knows no other recipe may be at work. Whoever has not got the lock of the
-- present key leaves this one alone: it would be in the way of whoever has.
-- Parameters: 1 the lock's number, 2 the overlap's end in milliseconds, 3 whether to try.
-- Always returns one row. Reading processed_operations comes after it, in a statement of its own.
select
    clock_timestamp() < 'epoch'::timestamptz + $2::bigint * interval '1 millisecond',
    case when $3 then
        pg_try_advisory_xact_lock($1::bigint # (to_regclass('processed_operations')::oid::bigint << 32))
    else false end;
