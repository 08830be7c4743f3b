-- Undoes what a handler wrote, and stays the writer.
-- Parameters: none.
rollback to savepoint idem_claim;
