-- Operations with two effects within one window. A brief window begins with the completion, which
-- comes after the write: two writes of different windows are further apart than it is long.
-- Parameters: 1 the brief window in milliseconds.
select count(distinct operation)
from (
    select
        operation,
        brief,
        written_at - lag(written_at) over (partition by operation order by written_at) as pause
    from soak_ledger
) as written
where pause is not null and (not brief or pause < $1::bigint * interval '1 millisecond');
