-- The effect of an operation.
-- Parameters: 1 operation, 2 whether its window is brief, 3 attempt.
-- Returns the row's number, which is the operation's result.
insert into soak_ledger (operation, brief, attempt) values ($1, $2, $3) returning id;
