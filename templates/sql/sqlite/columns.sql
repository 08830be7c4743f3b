-- Reads the columns of the table, as the database knows them: name, type, whether null is refused.
-- Zero rows: there is no such table.
select name, lower(type), "notnull" <> 0
from pragma_table_info('processed_operations');
