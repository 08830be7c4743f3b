-- Reads the collation under which the key alone is unique; binary compares bytes.
-- Zero rows: no unique index covers exactly the whole key.
select coalesce(max(key_column.collation_name), 'binary')
from information_schema.statistics as part
join information_schema.columns as key_column
    on key_column.table_schema = part.table_schema
    and key_column.table_name = part.table_name
    and key_column.column_name = 'idempotency_key'
where part.table_schema = database() and part.table_name = 'processed_operations' and part.non_unique = 0
group by part.index_name
having count(*) = 1 and max(part.column_name) = 'idempotency_key' and max(part.sub_part) is null;
