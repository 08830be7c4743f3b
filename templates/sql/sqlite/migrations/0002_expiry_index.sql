-- Lets a sweep find finished rows past their window without reading the table. Rows that never
-- expire (in flight, ambiguous, kept for ever) are not in it.
create index processed_operations_by_expiry on processed_operations (expires_at)
where expires_at < 9223372036854775807;
