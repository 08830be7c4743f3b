-- Reads a key of a hand-written protocol.
-- Parameters: 1 the key.
-- Zero rows: nothing is known about it.
select status, request, cast(lease_over as char)
from idem_drill_keys
where `key` = ?;
