-- Rolls back, and leaves the session as it was before the claim, in one round trip: its locks by name are
-- let go, and each statement commits again.
-- Parameters: a number that no answer on this session had before, between the marks.
-- Always returns one row: that number, and whether the session can be used again.
rollback;
set autocommit = 1;
select
    /*turn*/ 0 /*turn*/,
    coalesce(
        if(@idem_lock is null, true, release_all_locks() > 0) and database() <=> @idem_database,
        false
    );
