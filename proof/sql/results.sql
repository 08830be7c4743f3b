-- The first effect of each operation whose window is long.
select operation, min(id) from soak_ledger where not brief group by operation;
