-- Begins the transaction of a fused claim and tries to lock its key, in one round trip.
-- Whoever holds the lock works on the key; nobody waits for it. The lock is no guarantee: the
-- unique key is. It lets a loser be told at once instead of waiting for the winner's handler.
-- The answer is kept in a setting of this transaction, because a driver drops what `begin` returns.
-- The setting ends with the transaction: a completion that does not find it came too late, because
-- the handler has ended the transaction itself.
-- The lock is per table, so that equal keys of two schemas do not meet. Where there is no table the
-- answer is not true, and the read that follows says what is missing: a second statement that failed
-- would leave the driver a connection that it believes to be in no transaction.
-- Parameters: the first 64 bits of the key's SHA-256 in place of the zero between the marks. There
-- are no bound parameters in a round trip of two statements.
-- Always returns one row.
begin;
select set_config(
    'idem.key_is_ours',
    pg_try_advisory_xact_lock(
        (/*lock*/ 0 /*lock*/)::bigint # (to_regclass('processed_operations')::oid::bigint << 32)
    )::text,
    true
);
