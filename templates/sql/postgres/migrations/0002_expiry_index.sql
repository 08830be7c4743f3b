-- Lets a sweep find finished rows past their window without reading the table.
create index processed_operations_by_expiry on processed_operations (expires_at);
