-- The broken twin of a claim: the key is written when the work is already done.
-- Parameters: 1 the key, 2 the request.
insert into idem_drill_keys (key, request, status, fence)
values (?1, ?2, 'done', 1)
on conflict (key) do nothing;
