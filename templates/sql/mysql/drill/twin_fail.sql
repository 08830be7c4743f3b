-- Turns every finished key of a hand-written protocol into one whose last attempt failed.
update idem_drill_keys set status = 'failed' where status = 'done';
