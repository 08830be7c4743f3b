-- Reads every row of a table as text. `idem_drill_any` stands for the table's name, quoted;
-- `idem_drill_columns` for its columns, each as a text with its name.
-- Zero rows: the table is empty.
select concat_ws(' ', idem_drill_columns)
from idem_drill_any
order by 1;
