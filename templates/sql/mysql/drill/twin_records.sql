-- Reads every key of a hand-written protocol.
-- Zero rows: nothing was claimed.
select `key`, status, concat(`key`, ' ', status, ' fence=', fence, ' lease_over=', lease_over, ' ', request)
from idem_drill_keys
order by `key`;
