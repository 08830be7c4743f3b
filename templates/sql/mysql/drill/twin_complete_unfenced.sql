-- The broken twin of a completion: whoever comes is believed.
-- Parameters: 1 the key.
update idem_drill_keys
set status = 'done'
where `key` = ?;
