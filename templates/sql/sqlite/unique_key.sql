-- Reads the collation under which the key alone is unique.
-- Zero rows: no unique index covers exactly the key.
select upper(member.coll)
from pragma_index_list('processed_operations') as unique_index
join pragma_index_xinfo(unique_index.name) as member on member.key <> 0
where unique_index."unique" <> 0 and unique_index.partial = 0
group by unique_index.name
having count(*) = 1 and min(member.name) = 'idempotency_key';
