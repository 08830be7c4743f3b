-- Completes a claim under its fence.
-- Parameters: 1 the key, 2 the fence.
-- Zero rows: the claim is lost.
update idem_drill_keys
set status = 'done'
where `key` = ? and fence = cast(? as signed) and status = 'in_flight';
