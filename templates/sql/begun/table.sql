-- Creates a table that a handler writes, as far as its contract tells. Both databases read it.
-- `idem_table` and the line of `idem_column` are replaced.
create table idem_table (
    idem_column text
);
