-- Ends the window of every finished row, as time would.
-- Zero rows: no row is finished.
update processed_operations
set expires_at = cast(round(unixepoch('subsec') * 1000) as integer) - 1
where status in ('done', 'failed');
