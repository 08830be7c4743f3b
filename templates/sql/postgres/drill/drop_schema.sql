-- Removes a scratch schema and everything in it. `idem_drill_any` stands for its name, quoted.
drop schema if exists idem_drill_any cascade;
