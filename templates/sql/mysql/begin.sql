-- Begins the handler's transaction of a leased claim, whose row is the lock.
-- Without autocommit, a statement after a deadlock begins another transaction, which is never
-- committed; with it, each would be committed by itself. The savepoint shows at the end that the
-- transaction is still the same one. A server that takes no writes refuses one that says it writes.
-- Returns nothing: zero rows are as it should be.
set @idem_database = database(), @idem_lock = null;
set autocommit = 0;
start transaction read write;
savepoint idem_claim;
