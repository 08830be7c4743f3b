-- Reads the collation under which the key alone is unique.
-- Zero rows: no valid, complete and immediate unique index covers exactly the key.
select coalesce(collation_of_key.collname::text, 'none')
from pg_index as unique_index
join pg_attribute as key_column
    on key_column.attrelid = unique_index.indrelid
    and key_column.attnum = unique_index.indkey[0]
left join pg_collation as collation_of_key on collation_of_key.oid = unique_index.indcollation[0]
where unique_index.indrelid = to_regclass('processed_operations')
    and unique_index.indisunique
    and unique_index.indisvalid
    and unique_index.indimmediate
    and unique_index.indnkeyatts = 1
    and unique_index.indpred is null
    and key_column.attname = 'idempotency_key';
