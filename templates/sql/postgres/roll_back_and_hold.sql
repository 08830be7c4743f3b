-- Undoes a fused attempt and begins a transaction that still holds the lock on its key: what is
-- recorded in it becomes visible before anybody else can win the key. The lock of the session, which
-- this session cannot have to wait for, bridges the moment between the two transactions.
-- Parameters: the first 64 bits of the key's SHA-256 in place of the zero between the marks, each time.
-- Always returns one row. It does so three times. In a transaction that has failed already nothing of this is
-- done.
select pg_advisory_lock(
    (/*lock*/ 0 /*lock*/)::bigint # (to_regclass('processed_operations')::oid::bigint << 32)
);
rollback;
begin;
select pg_advisory_xact_lock(
    (/*lock*/ 0 /*lock*/)::bigint # (to_regclass('processed_operations')::oid::bigint << 32)
);
select pg_advisory_unlock(
    (/*lock*/ 0 /*lock*/)::bigint # (to_regclass('processed_operations')::oid::bigint << 32)
);
