-- Reads whether a migration was begun before, and perhaps applied in part.
-- Parameters: 1 its number.
-- Zero rows: it was not.
select version from idem_migrations where version = ?/*1*/;
