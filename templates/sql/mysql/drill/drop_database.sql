-- Removes a scratch database and everything in it. `idem_drill_any` stands for its name, quoted.
drop database if exists idem_drill_any;
