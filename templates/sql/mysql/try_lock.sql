-- Reads whether an overlap of recipes lasts, and tries the lock of the key under the previous one, on
-- which a program that knows no other recipe may be at work.
-- A fused claim that has not got the present key's lock leaves this one alone: it would be in the way
-- of whoever has.
-- Parameters: 1 the key, 2 the overlap's end in milliseconds, 3 what the names of such locks begin with.
-- Always returns one row. Reading processed_operations comes after it: the transaction sees the table as
-- it is at its first read.
select
    timestampdiff(microsecond, '1970-01-01 00:00:00', utc_timestamp(6)) div 1000 < ?/*2*/,
    case when ?/*3*/ = 'idem:' and coalesce(@idem_key_is_ours, 0) <> 1 then false else coalesce(
        get_lock(
            concat(?/*3*/, left(sha2(concat_ws(':', database(), sha2(?/*1*/, 256)), 256), 40)),
            0
        ) = 1,
        false
    ) end;
