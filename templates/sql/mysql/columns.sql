-- Reads the columns of the table, as the database knows them: name, type, whether null is refused.
-- Zero rows: there is no such table.
select
    column_name,
    concat(
        data_type,
        case
            when data_type in ('varchar', 'varbinary', 'char', 'binary') then concat('(', character_maximum_length, ')')
            when data_type = 'datetime' then concat('(', datetime_precision, ')')
            when column_type like '%unsigned%' then ' unsigned'
            else ''
        end
    ),
    is_nullable = 'NO'
from information_schema.columns
where table_schema = database() and table_name = 'processed_operations';
