-- Ends every running lease, as time would.
-- Zero rows: no row is in flight.
update processed_operations
set lease_until = utc_timestamp(6) - interval 1000 microsecond
where status = 'in_flight';
