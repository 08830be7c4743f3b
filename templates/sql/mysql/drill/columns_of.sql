-- Reads the names of a table's columns, in order.
-- Parameters: 1 the table.
-- Zero rows: there is no such table.
select column_name
from information_schema.columns
where table_schema = database() and table_name = ?
order by ordinal_position;
