-- Ends every running lease, as time would.
-- Zero rows: no row is in flight.
update processed_operations
set lease_until = cast(round(unixepoch('subsec') * 1000) as integer) - 1
where status = 'in_flight';
