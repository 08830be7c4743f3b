-- Reads which of our tables and indexes exist.
-- Zero rows: none.
select name
from sqlite_schema
where name in (
    'idem_migrations', 'processed_operations', 'processed_operations_by_expiry',
    'dead_letters', 'operation_settlements'
);
