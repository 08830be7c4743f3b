-- Reads which of our tables and indexes this database has.
-- Zero rows: none.
select table_name
from information_schema.tables
where table_schema = database() and table_name in (
        'idem_migrations', 'processed_operations', 'dead_letters', 'operation_settlements'
    )
union
select index_name
from information_schema.statistics
where table_schema = database()
    and table_name = 'processed_operations'
    and index_name = 'processed_operations_by_expiry'
    and seq_in_index = 1
    and column_name = 'expires_at';
