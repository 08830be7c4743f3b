-- Reads the effects that were performed.
-- Zero rows: none was.
select concat(effect, ' ', event)
from idem_drill_effects
order by effect, event;
