-- Performs an effect: one row each time.
-- Parameters: 1 the effect's name, 2 the event.
insert into idem_drill_effects (effect, event)
values (?, ?);
