-- The broken twin of a claim: the key is written when the work is already done.
-- Parameters: 1 the key, 2 the request.
insert ignore into idem_drill_keys (`key`, request, status, fence)
values (?, ?, 'done', 1);
