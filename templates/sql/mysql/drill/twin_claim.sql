-- Claims a key of a hand-written protocol, or takes it over. Each assignment sees those above it done.
-- Parameters: 1 the key, 2 the request.
-- What was won is read by the statement that follows in the session.
insert into idem_drill_keys (`key`, request, status, fence)
values (?, ?, 'in_flight', last_insert_id(1))
on duplicate key update
    fence = if(
        status = 'failed' or (status = 'in_flight' and lease_over = 1),
        last_insert_id(fence + 1),
        fence + last_insert_id(0)
    ),
    lease_over = 0,
    status = if(status = 'failed', 'in_flight', status);
