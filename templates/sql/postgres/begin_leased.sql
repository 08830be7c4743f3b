-- Begins the handler's transaction under a lease that is already committed, and marks it: the setting
-- ends with the transaction, so a completion that does not find it came too late, because the handler
-- has ended the transaction itself.
-- Parameters: none.
-- Always returns one row.
begin;
select set_config('idem.key_is_ours', 'true', true);
