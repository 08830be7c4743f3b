-- Reads whether a moment has not come yet, by the database's clock.
-- Parameters: 1 the moment in milliseconds.
-- Always returns one row.
select cast(round(unixepoch('subsec') * 1000) as integer) < ?1;
