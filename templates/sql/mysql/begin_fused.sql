-- Begins the transaction of a fused claim and tries to lock its key, in one round trip.
-- Whoever holds the lock works on the key; nobody waits for it. The lock is no guarantee: the
-- unique key is. It lets a loser be told at once instead of waiting for the winner's handler.
-- The lock belongs to the session, not to the transaction, and is known by name on the whole server:
-- so the name tells databases apart, and is kept for whoever lets go.
-- Without autocommit, a statement after a deadlock begins another transaction, which is never
-- committed; with it, each would be committed by itself. The savepoint shows at the end that the
-- transaction is still the same one. A server that takes no writes refuses one that says it writes.
-- Parameters: the key's SHA-256 in hexadecimal between the marks. There are no bound parameters in
-- a round trip of several statements.
-- Returns nothing: zero rows are as it should be.
set @idem_database = database(),
    @idem_claimed_at = utc_timestamp(6),
    @idem_lock = concat('idem:', left(sha2(concat_ws(':', database(), '/*key*/'), 256), 40));
set @idem_key_is_ours = get_lock(@idem_lock, 0), autocommit = 0;
start transaction read write;
savepoint idem_claim;
