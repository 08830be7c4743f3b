-- Lets a sweep find finished rows past their window without reading the table, and an operator the few
-- that never expire: among those, the status tells them apart.
create index processed_operations_by_expiry on processed_operations (expires_at, status);
