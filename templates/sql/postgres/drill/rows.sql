-- Reads every row of a table as JSON text, without some of its columns. `idem_drill_any` stands for
-- the table's name, quoted.
-- Parameters: 1 the columns to leave out.
-- Zero rows: the table is empty.
select (to_jsonb(any_row) - $1::text[])::text
from idem_drill_any as any_row
order by 1;
