-- Claims a key of a hand-written protocol, or takes it over.
-- Parameters: 1 the key, 2 the request.
-- Returns the fence. Zero rows: not won.
insert into idem_drill_keys as known (key, request, status, fence)
values (?1, ?2, 'in_flight', 1)
on conflict (key) do update set
    status = 'in_flight',
    fence = known.fence + 1,
    lease_over = 0
where known.status = 'failed' or (known.status = 'in_flight' and known.lease_over = 1)
returning cast(fence as text);
