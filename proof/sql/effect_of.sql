-- The number of an operation's effect, for the broken handler that looks before it writes.
-- Parameters: 1 operation. Zero rows: there is none yet.
select id from soak_ledger where operation = $1 order by id limit 1;
