-- Reads the names of a table's columns, in order.
-- Parameters: 1 the table.
-- Zero rows: there is no such table.
select name
from pragma_table_info(?1);
