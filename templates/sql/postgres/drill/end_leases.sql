-- Ends every running lease, as time would.
-- Zero rows: no row is in flight.
update processed_operations
set lease_until = clock_timestamp() - interval '1 millisecond'
where status = 'in_flight';
