-- Reads which of our tables and indexes the search path finds.
-- Zero rows: none.
select name
from unnest(array[
    'idem_migrations', 'processed_operations', 'processed_operations_by_expiry',
    'dead_letters', 'operation_settlements'
]) as name
where to_regclass(name) is not null;
