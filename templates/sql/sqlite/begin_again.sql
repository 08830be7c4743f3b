-- Begins a transaction where the handler has ended the one that it was given, so that the driver has
-- one to roll back.
-- Parameters: none.
begin;
