-- Undoes what a handler wrote, and keeps its key's lock: what is recorded next is there before anybody
-- else can win the key.
-- Returns nothing: zero rows are as it should be.
rollback;
