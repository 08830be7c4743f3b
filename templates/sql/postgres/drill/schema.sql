-- Creates a scratch schema. `idem_drill_any` stands for its name, quoted.
create schema idem_drill_any;
