-- Ends every running lease of a hand-written protocol.
update idem_drill_keys set lease_over = 1 where status = 'in_flight';
