-- Ends the window of every finished key of a hand-written protocol: it is as if it were not there.
delete from idem_drill_keys where status in ('done', 'failed');
