-- Reads the fence that the claim before it won.
-- Zero rows: not won.
select cast(last_insert_id() as char)
from (select 1 as one) as always
where last_insert_id() > 0;
