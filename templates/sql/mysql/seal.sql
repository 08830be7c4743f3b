-- Shows that the handler's transaction is still the one that was begun, and reads the clock for the
-- completion that follows. Fails where the savepoint is gone: by a commit, by a statement that
-- commits, or by a deadlock.
-- Parameters: a number that no answer on this session had before, between the marks.
-- Always returns one row: that number, whether the session is still in its database, and the moment
-- of completion in milliseconds.
release savepoint idem_claim;
savepoint idem_claim;
set @idem_completed_at = utc_timestamp(6);
select
    /*turn*/ 0 /*turn*/,
    database() <=> @idem_database,
    timestampdiff(microsecond, '1970-01-01 00:00:00', @idem_completed_at) div 1000;
