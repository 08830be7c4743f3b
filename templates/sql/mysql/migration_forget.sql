-- Forgets that a migration was begun: the database refused it, and nothing was made.
-- Parameters: 1 its number.
delete from idem_migrations where version = ?/*1*/ and applied_at is null;
