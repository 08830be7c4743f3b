-- Operations that were answered, and have no effect.
-- Parameters: 1 how many operations there are; they are numbered from 0.
select count(*)
from generate_series(0, $1::bigint - 1) as answered (operation)
where not exists (select from soak_ledger where soak_ledger.operation = answered.operation);
