-- Performs an effect: a row for each event. Both databases read it.
-- `idem_table`, `idem_column` and `$1` are replaced by the table, its columns and their parameters.
insert into idem_table (idem_column)
values ($1)
