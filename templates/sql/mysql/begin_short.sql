-- Begins a short transaction of the store's own. It locks the rows it writes, and not the gaps between
-- them, into which claims of other keys are written.
-- Returns nothing: zero rows are as it should be.
set transaction isolation level read committed;
start transaction;
