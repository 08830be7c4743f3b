-- Creates a scratch database. `idem_drill_any` stands for its name, quoted.
create database idem_drill_any;
