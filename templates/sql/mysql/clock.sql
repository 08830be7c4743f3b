-- Reads the clock for a completion outside the handler's transaction, which was rolled back.
-- Parameters: a number that no answer on this session had before, between the marks.
-- Always returns one row: that number, true, and the moment of completion in milliseconds.
set @idem_completed_at = utc_timestamp(6), @idem_claimed_at = utc_timestamp(6);
select
    /*turn*/ 0 /*turn*/,
    true,
    timestampdiff(microsecond, '1970-01-01 00:00:00', @idem_completed_at) div 1000;
